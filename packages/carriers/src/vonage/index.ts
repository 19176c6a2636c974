import type { Telephony } from '@va/core/adapter';
import type { VonageOptions } from './options.ts';
import { VonageTelephony } from './vonage-telephony.ts';

export type { VonageOptions } from './options.ts';

/**
 * Calls over Vonage's WebSockets, for trunks of the type `vonage`. Set the answer URL of the application to
 * `<publicUrl>/telephony/vonage/voice` and its event URL to `<publicUrl>/telephony/vonage/event`.
 *
 * @see https://developer.vonage.com/en/voice/voice-api/guides/websockets
 * @throws VaError `invalid_options` when it starts without a public URL
 * @example createVoiceAgents({ publicUrl: 'https://example.com/voice', telephony: [vonage()], … });
 */
export function vonage(options: VonageOptions = {}): Telephony {
  return new VonageTelephony(options);
}
