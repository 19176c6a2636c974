/**
 * What the DNS says of one name and type. `absent` is an answer: there is no such name, or it has no records of the
 * type. `unanswered` says nothing about the records: a server failed, refused, or did not answer in time.
 */
export type DnsAnswer<T> =
  | { readonly status: 'found'; readonly records: readonly T[] }
  | { readonly status: 'absent' }
  | { readonly status: 'unanswered'; readonly reason: string };

/** @see RFC 1035 §3.3.9 */
export interface MailExchange {
  readonly exchange: string;
  readonly priority: number;
}

/** Looks names up, each fully qualified and without a dot at the end. Never rejects. */
export interface DnsResolver {
  /** Each record's character strings, joined. */
  lookUpTxt(name: string): Promise<DnsAnswer<string>>;
  lookUpMx(name: string): Promise<DnsAnswer<MailExchange>>;
  lookUpCname(name: string): Promise<DnsAnswer<string>>;
}
