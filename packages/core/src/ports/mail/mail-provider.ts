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

/** A domain at a mail provider, with what its owner has to publish in the DNS. */
export interface ProvidedMailDomain extends ListedMailDomain {
  readonly records: readonly DnsRecord[];
}

/**
 * The service that sends the deployment's mails. All organizations share its account, each with a domain of its own.
 *
 * Every method throws a `ProviderError` when the provider fails, and MUST end by itself (fault `timeout`) when it does
 * not answer.
 */
export interface MailProvider extends Partial<MailSender> {
  /** Kept with each domain, such as `resend`. */
  readonly id: string;
  /** Where the account has the domain already, that one: adding again after a crash MUST NOT fail. */
  addDomain(name: string): Promise<ProvidedMailDomain>;
  /** Null where the account has no such domain. */
  getDomain(id: string): Promise<ProvidedMailDomain | null>;
  /** Every domain of the account. */
  listDomains(): Promise<readonly ListedMailDomain[]>;
  /**
   * Asks the provider to look at the DNS; what comes of it shows in `getDomain`. False where there is no such domain.
   */
  verifyDomain(id: string): Promise<boolean>;
  /** False where the account has no such domain. */
  removeDomain(id: string): Promise<boolean>;
}
