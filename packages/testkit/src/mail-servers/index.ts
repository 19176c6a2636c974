export { type DnsFault, type DnsRecords, DnsServer } from './dns-server.ts';
export type { ResendDomain, ResendRecord, ResendStatus } from './resend-domains.ts';
export { type ResendFault, type ResendRequest, ResendServer, type ResendServerOptions } from './resend-server.ts';
