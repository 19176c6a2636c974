import type { MailProvider } from '../ports/mail/mail-provider.ts';
import type { MailSender } from '../ports/mail/mail-sender.ts';

/** Returns the mail provider as a sender; null when it cannot send. */
export function senderOf(mail: MailProvider | undefined): MailSender | null {
  if (mail?.sendMail === undefined) return null;
  return { sendMail: mail.sendMail.bind(mail) };
}
