import type { DnsRecord, MailDomainStatus } from '../../domain/accounts/mail-domain.ts';
import type { MailSender } from './mail-sender.ts';

/** A domain as a mail provider lists it. */
export interface ListedMailDomain {
  /** The provider's own id. */
  readonly id: string;
  /** In lower case and ASCII, without a dot at the end. */
  readonly name: string;
  readonly status: MailDomainStatus;
  readonly region: string | null;
}

/** A domain at a mail provider, with the DNS records that its owner has to publish. */
export interface ProvidedMailDomain extends ListedMailDomain {
  readonly records: readonly DnsRecord[];
}

/**
 * The service that sends the deployment's mails. All organizations share its account, each with its own domain.
 *
 * Every method throws a `ProviderError` when the provider fails, and MUST time out by itself (fault `timeout`).
 */
export interface MailProvider extends Partial<MailSender> {
  /** Name of the provider, such as `resend`; stored with each domain. */
  readonly id: string;
  /** Adds a domain, or returns the one that the account has: adding again after a crash MUST NOT fail. */
  addDomain(name: string): Promise<ProvidedMailDomain>;
  /** Returns null if the account does not have the domain. */
  getDomain(id: string): Promise<ProvidedMailDomain | null>;
  /** Returns all domains of the account. */
  listDomains(): Promise<readonly ListedMailDomain[]>;
  /** Asks the provider to check the DNS; the result is in `getDomain`. Returns false if the domain does not exist. */
  verifyDomain(id: string): Promise<boolean>;
  /** Returns false if the account does not have the domain. */
  removeDomain(id: string): Promise<boolean>;
}
