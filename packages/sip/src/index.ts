export { targetOf } from './dialog/dialog.ts';
export { type OutgoingEnd, OutgoingInvite, type OutgoingListener } from './dialog/invite/outgoing-invite.ts';
export { type CodecPreference, RtpSession, type RtpSessionOptions } from './media/rtp-session.ts';
export { type NameAddr, parseNameAddr } from './message/name-addr.ts';
export { type PeerAddress, PeerResolver, type PeerResolverOptions, peerOf } from './resolve/peer-resolver.ts';
export {
  type AddressRecord,
  type NaptrRecord,
  type SipDns,
  type SrvRecord,
  type SystemSipDnsOptions,
  systemSipDns,
} from './resolve/sip-dns.ts';
export { type Attempt, tryEach } from './resolve/try-each.ts';
export type { SrtpMode } from './sdp/crypto.ts';
export { type SipOptions, type SipTelephony, sip } from './sip.ts';
export type { SipAddress, TransportName } from './transport/address.ts';
export type { SourceGuardLimits } from './transport/source-guard.ts';
export type { SipTimers } from './transport/timers.ts';
export type { TlsIdentity, TlsOptions } from './transport/tls-options.ts';
export type { SipRegistration } from './trunk/sip-registration.ts';
export type { SipPeer } from './trunk/trunk-watch.ts';
export { UserAgent, type UserAgentOptions } from './user-agent.ts';
