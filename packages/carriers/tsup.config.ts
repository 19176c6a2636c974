import { library } from '../../scripts/tsup-library.ts';

export default library({ entry: ['src/twilio/index.ts'] });
