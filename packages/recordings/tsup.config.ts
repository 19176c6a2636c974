import { library } from '../../scripts/tsup-library.ts';

export default library({ entry: { 's3/index': 'src/s3/index.ts' } });
