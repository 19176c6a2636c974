import { library } from '../../scripts/tsup-library.ts';

export default library({ entry: { 'resend/index': 'src/resend/index.ts', 'smtp/index': 'src/smtp/index.ts' } });
