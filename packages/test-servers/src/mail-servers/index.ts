export { type DnsFault, type DnsPointer, type DnsRecords, DnsServer, type DnsService } from './dns-server.ts';
export type { ResendDomain, ResendRecord, ResendStatus } from './resend-domains.ts';
export { type ResendFault, type ResendRequest, ResendServer, type ResendServerOptions } from './resend-server.ts';
