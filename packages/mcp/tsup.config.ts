import { library } from '../../scripts/tsup-library.ts';

export default library({ entry: ['src/client/index.ts', 'src/server/index.ts'] });
