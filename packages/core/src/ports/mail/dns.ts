/**
 * Result of a DNS query for one name and type. `absent`: the name does not exist, or has no records of the type.
 * `unanswered`: a server failed, refused, or timed out.
 */
export type DnsAnswer<T> =
  | { readonly status: 'found'; readonly records: readonly T[] }
  | { readonly status: 'absent' }
  | { readonly status: 'unanswered'; readonly reason: string };

/** Data of an MX record. @see RFC 1035 §3.3.9 */
export interface MailExchange {
  readonly exchange: string;
  readonly priority: number;
}

/** Resolves fully qualified names, which are given without a trailing dot. The methods never reject. */
export interface DnsResolver {
  /** Looks up TXT records. The character strings of a record are joined to one text. */
  lookUpTxt(name: string): Promise<DnsAnswer<string>>;
  lookUpMx(name: string): Promise<DnsAnswer<MailExchange>>;
  lookUpCname(name: string): Promise<DnsAnswer<string>>;
}
