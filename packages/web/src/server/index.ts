import type { Telephony } from '@va/core/adapter';
import type { WebCallsOptions } from './options.ts';
import { WebTelephony } from './web-telephony.ts';

export { webCallScript } from './client-script.ts';
export type { WebCallsOptions } from './options.ts';
export type { WebRtcOptions } from './webrtc/options.ts';

/**
 * Creates the telephony adapter for calls from browsers over WebSockets and WebRTC, with tokens of `POST /calls/web`.
 * Needs `publicUrl` of `createVoiceAgents`, and upgrades passed on to the handler.
 *
 * @throws VaError `invalid_options` for an origin that no browser sends, or settings of WebRTC that are not valid
 * @example createVoiceAgents({ publicUrl: 'https://example.com/voice', telephony: [webCalls()], … });
 */
export function webCalls(options: WebCallsOptions = {}): Telephony {
  return new WebTelephony(options);
}
