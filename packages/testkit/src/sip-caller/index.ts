export type { HeardFrame } from './heard.ts';
export type { SentSpan } from './outbox.ts';
export type { SipCall, SipCallEnd } from './sip-call.ts';
export { createSipCaller, type DialOptions, type SipCaller, type SipCallerOptions } from './sip-caller.ts';
