import { library } from '../../scripts/tsup-library.ts';

export default library({
  entry: { index: 'src/index.ts', adapter: 'src/adapter.ts', 'schema-worker': 'src/schema/schema-worker.ts' },
});
