import { library } from '../../scripts/tsup-library.ts';

export default library({
  entry: [
    'src/index.ts',
    'src/scenarios/index.ts',
    'src/sip-caller/index.ts',
    'src/provider-servers/index.ts',
    'src/carriers/index.ts',
    'src/carrier-servers/index.ts',
    'src/providers/index.ts',
    'src/storage/index.ts',
    'src/jobs/index.ts',
  ],
});
