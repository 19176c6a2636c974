import { WebCall, type WebCallOptions } from './web-call.ts';

export type { WebCallLatency } from '../protocol/messages.ts';
export { workletSource } from './audio/call-audio.ts';
export { defineProcessors, type WorkletScope } from './audio/processors.ts';
export { WebCallError, type WebCallErrorCode } from './errors.ts';
export type { WebCallTransport } from './media-link.ts';
export type { PublishableCall, WebCallTicket } from './ticket.ts';
export { type WebCallTranscript, withWords } from './transcript.ts';
export type {
  WebCall,
  WebCallEvents,
  WebCallOptions,
  WebCallState,
  WebCallTool,
} from './web-call.ts';

/**
 * Creates a call from this page to an agent: with the `url` and `token` that your server got from `POST /calls/web`, or
 * with a publishable key.
 *
 * @example
 * const call = createWebCall(await (await fetch('/my-server/call', { method: 'POST' })).json());
 * call.on('transcript', ({ role, text }) => show(role, text));
 * button.onclick = () => call.start();
 * @example
 * const call = createWebCall({ baseUrl: 'https://example.com/voice', publishableKey: 'va_pk_…', agentId: '…' });
 */
export function createWebCall(options: WebCallOptions): WebCall {
  return new WebCall(options);
}
