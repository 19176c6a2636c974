import type { Telephony } from '@va/core/adapter';
import type { TwilioOptions } from './options.ts';
import { TwilioTelephony } from './twilio-telephony.ts';

export type { TwilioOptions } from './options.ts';

/**
 * Calls over Twilio Media Streams, for trunks of the type `twilio`. Set the Voice URL of a number to
 * `<publicUrl>/telephony/twilio/voice` (POST).
 *
 * @see https://www.twilio.com/docs/voice/media-streams
 * @throws VaError `invalid_options` when it starts without a public URL
 * @example createVoiceAgents({ publicUrl: 'https://example.com/voice', telephony: [twilio()], … });
 */
export function twilio(options: TwilioOptions = {}): Telephony {
  return new TwilioTelephony(options);
}
