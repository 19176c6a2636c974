export type { HeardFrame } from './heard.ts';
export type { CallEnd, SipCall, Spoken } from './sip-call.ts';
export { createSipCaller, type DialOptions, type SipCaller, type SipCallerOptions } from './sip-caller.ts';
