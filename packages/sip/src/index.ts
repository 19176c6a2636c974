// Besides `sip()`, exports the parts of the user agent with which `@va/testkit/sip-caller` makes calls.
export { targetOf } from './dialog/dialog.ts';
export type { OutgoingEnd, OutgoingListener } from './dialog/invite/outgoing-invite.ts';
export type { InboundPolicy } from './inbound-authorization.ts';
export { RtpSession, type RtpSessionOptions } from './media/rtp-session.ts';
export { type NameAddr, parseNameAddr } from './message/name-addr.ts';
export type { SrtpMode } from './sdp/crypto.ts';
export { type SipOptions, type SipTelephony, sip } from './sip.ts';
export type { SipAddress, TransportName } from './transport/address.ts';
export type { SourceGuardLimits } from './transport/source-guard.ts';
export type { SipTimers } from './transport/timers.ts';
export type { TlsIdentity, TlsOptions } from './transport/tls-options.ts';
export type { SipRegistration } from './trunk/sip-registration.ts';
export type { SipPeer } from './trunk/trunk-watch.ts';
export { UserAgent, type UserAgentOptions } from './user-agent.ts';
