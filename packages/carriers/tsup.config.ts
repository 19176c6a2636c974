import { library } from '../../scripts/tsup-library.ts';

// An entry keeps its folder only by name.
export default library({
  entry: {
    'twilio/index': 'src/twilio/index.ts',
    'telnyx/index': 'src/telnyx/index.ts',
    'plivo/index': 'src/plivo/index.ts',
    'vonage/index': 'src/vonage/index.ts',
  },
});
