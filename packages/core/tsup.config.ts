import { library } from '../../scripts/tsup-library.ts';

export default library({ entry: ['src/index.ts', 'src/media.ts'] });
