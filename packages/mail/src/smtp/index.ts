import { type MailSender, type OutgoingMail, ProviderError, toError } from '@va/core';
import type { Transporter } from 'nodemailer';
import { toProviderError } from './fault.ts';

export interface SmtpOptions {
  readonly host: string;
  /** 587 by default, 465 where `secure`. */
  readonly port?: number;
  /**
   * TLS from the first byte (RFC 8314 §3.3). Without it the connection is upgraded by STARTTLS where the server can.
   */
  readonly secure?: boolean;
  /** Refuses a server that cannot do STARTTLS. True by default where there is a password. */
  readonly requireTls?: boolean;
  readonly auth?: { readonly user: string; readonly password: string };
  /** Of the server's certificate; Node's own by default. */
  readonly ca?: string;
  /** For the connection, the greeting and each silence; 15,000 by default. */
  readonly timeoutMs?: number;
}

/**
 * Mails over SMTP, through nodemailer (`npm install nodemailer`).
 *
 * @example
 * createVoiceAgents({ mail: { sender: smtp({ host: 'smtp.example.com', auth }), from: 'calls@example.com' }, ... });
 */
export function smtp(options: SmtpOptions): MailSender {
  let opened: Promise<Transporter> | null = null;
  return {
    async sendMail(mail) {
      opened ??= open(options);
      const transporter = await opened.catch((thrown: unknown) => {
        opened = null;
        throw thrown;
      });
      try {
        await transporter.sendMail(toMessage(mail));
      } catch (thrown) {
        throw toProviderError(thrown);
      }
    },
  };
}

async function open(options: SmtpOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer').catch((thrown: unknown) => {
    throw new ProviderError('smtp', 'unavailable', 'its client is not installed: npm install nodemailer', {
      cause: toError(thrown),
    });
  });
  const { host, secure = false, auth, ca, timeoutMs = 15_000 } = options;
  return createTransport({
    host,
    port: options.port ?? (secure ? 465 : 587),
    secure,
    requireTLS: options.requireTls ?? (auth !== undefined && !secure),
    ...(auth === undefined ? {} : { auth: { user: auth.user, pass: auth.password } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // What is in a mail is what it was given, never a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function toMessage({ messageId, from, to, subject, text, html }: OutgoingMail) {
  return {
    messageId: `<${messageId}>`,
    from: { name: from.name ?? '', address: from.address },
    to: { name: '', address: to },
    subject,
    text,
    html,
    // Nobody's absence is to answer it (RFC 3834 §5).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}
