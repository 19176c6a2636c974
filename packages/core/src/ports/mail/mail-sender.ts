export interface MailAddress {
  readonly name: string | null;
  readonly address: string;
}

export interface OutgoingMail {
  /** Without its angle brackets (RFC 5322 §3.6.4): the same for every attempt. */
  readonly messageId: string;
  readonly from: MailAddress;
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Brings mails on their way. */
export interface MailSender {
  /**
   * Resolves when somebody has taken the mail over. Throws a `ProviderError` otherwise, `retryable` where the same mail
   * may go later, and MUST end by itself (fault `timeout`). Where the service knows such a thing, a mail with a
   * `messageId` that it was given is sent once.
   */
  sendMail(mail: OutgoingMail): Promise<void>;
}
