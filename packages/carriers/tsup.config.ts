import { library } from '../../scripts/tsup-library.ts';

// A single entry keeps its folder only by name.
export default library({ entry: { 'twilio/index': 'src/twilio/index.ts' } });
