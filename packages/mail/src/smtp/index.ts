import { type MailSender, type OutgoingMail, ProviderError, toError } from '@va/core/adapter';
import type { Transporter } from 'nodemailer';
import { toProviderError } from './fault.ts';

/** Options of {@link smtp}. */
export interface SmtpOptions {
  readonly host: string;
  /** 587 by default, 465 with `secure`. */
  readonly port?: number;
  /** TLS from the first byte (RFC 8314 §3.3). Without it, STARTTLS is used if the server supports it. */
  readonly secure?: boolean;
  /** Refuses a server without STARTTLS. True by default with a password. */
  readonly requireTls?: boolean;
  readonly auth?: { readonly user: string; readonly password: string };
  /** CA of the server's certificate; Node's own CAs by default. */
  readonly ca?: string;
  /**
   * Time limit for the connection, for the greeting and for each period without data, in milliseconds; 15,000 by
   * default.
   */
  readonly timeoutMs?: number;
}

/**
 * Sends mails over SMTP with nodemailer (`npm install nodemailer`).
 *
 * @example createVoiceAgents({ mail: { sender: smtp({ host: 'smtp.example.com', auth }), from: 'calls@example.com' },
 *   ... });
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
    throw new ProviderError(
      'smtp',
      'unavailable',
      'the package nodemailer is not installed: run npm install nodemailer',
      {
        cause: toError(thrown),
      },
    );
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
    // Mail content never refers to files or URLs of the server.
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
    // Suppresses automatic replies (RFC 3834 §5).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}
