import { library } from '../../scripts/tsup-library.ts';

export default library({ entry: ['src/index.ts', 'src/verify.ts', 'src/messages.ts'] });
