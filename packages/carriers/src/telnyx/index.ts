import type { Telephony } from '@va/core/adapter';
import type { TelnyxOptions } from './options.ts';
import { TelnyxTelephony } from './telnyx-telephony.ts';

export type { TelnyxOptions } from './options.ts';

/**
 * Calls over Telnyx Call Control and media streams, for trunks of the type `telnyx`. Set the webhook URL of the Call
 * Control application to `<publicUrl>/telephony/telnyx/voice`.
 *
 * @see https://developers.telnyx.com/docs/voice/programmable-voice/media-streaming
 * @throws VaError `invalid_options` when it starts without a public URL
 * @example createVoiceAgents({ publicUrl: 'https://example.com/voice', telephony: [telnyx()], … });
 */
export function telnyx(options: TelnyxOptions = {}): Telephony {
  return new TelnyxTelephony(options);
}
