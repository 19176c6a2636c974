/** A mail address with its display name. */
export interface MailAddress {
  readonly name: string | null;
  readonly address: string;
}

/** A mail to send. */
export interface OutgoingMail {
  /** Without angle brackets (RFC 5322 §3.6.4); the same for every attempt. */
  readonly messageId: string;
  readonly from: MailAddress;
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends mails. */
export interface MailSender {
  /**
   * Sends a mail; resolves when a server has accepted it. Otherwise throws a `ProviderError`, `retryable` if a later
   * attempt may succeed, and MUST time out by itself (fault `timeout`). If the mail service supports idempotency, a
   * repeated `messageId` is sent once.
   */
  sendMail(mail: OutgoingMail): Promise<void>;
}
