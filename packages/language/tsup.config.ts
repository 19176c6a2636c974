import { library } from '../../scripts/tsup-library.ts';

export default library({ entry: { index: 'src/index.ts' } });
