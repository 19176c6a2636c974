import type { Telephony } from '@va/core/adapter';
import type { PlivoOptions } from './options.ts';
import { PlivoTelephony } from './plivo-telephony.ts';

export type { PlivoOptions } from './options.ts';

/**
 * Calls over Plivo's audio streams, for trunks of the type `plivo`. Set the answer URL of the application to
 * `<publicUrl>/telephony/plivo/voice`.
 *
 * @see https://www.plivo.com/docs/voice-agents/audio-streaming/concepts/audio-streaming-reference
 * @throws VaError `invalid_options` when it starts without a public URL
 * @example createVoiceAgents({ publicUrl: 'https://example.com/voice', telephony: [plivo()], … });
 */
export function plivo(options: PlivoOptions = {}): Telephony {
  return new PlivoTelephony(options);
}
