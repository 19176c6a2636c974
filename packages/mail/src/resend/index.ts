import {
  type ListedMailDomain,
  type MailAddress,
  type MailProvider,
  type MailSender,
  type OutgoingMail,
  type ProvidedMailDomain,
  ProviderError,
} from '@va/core/adapter';
import { ResendClient, type ResendClientOptions, type SendRequest } from './client.ts';
import { type DomainPage, readDomain, readPage } from './domain.ts';

const pageSize = 100;

/** Options of {@link resend}. */
export interface ResendOptions extends ResendClientOptions {
  /** Region of new domains; `us-east-1` by default. */
  readonly region?: 'us-east-1' | 'eu-west-1' | 'sa-east-1' | 'ap-northeast-1';
}

/**
 * Sends mails and manages domains through Resend, with its own client (`npm install resend`).
 *
 * @example createVoiceAgents({ mail: { provider: resend({ apiKey: process.env.RESEND_API_KEY }) }, ... });
 */
export function resend(options: ResendOptions = {}): MailProvider & MailSender {
  return new ResendMail(options);
}

/**
 * Returns the value of the From header. The display name is quoted, so that it may contain any text (RFC 5322 §3.2.4).
 */
function fromLine({ name, address }: MailAddress): string {
  return name === null ? address : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`;
}

class ResendMail implements MailProvider, MailSender {
  readonly id = 'resend';
  readonly #client: ResendClient;
  readonly #region: ResendOptions['region'];

  constructor({ region, ...rest }: ResendOptions) {
    this.#client = new ResendClient(rest);
    this.#region = region;
  }

  async addDomain(name: string): Promise<ProvidedMailDomain> {
    const payload = this.#region === undefined ? { name } : { name, region: this.#region };
    try {
      return readDomain(await this.#client.request((client, options) => client.domains.create(payload, options)));
    } catch (thrown) {
      // The error is the same for a domain that exists and for an invalid one, so a lookup distinguishes them.
      if (!(thrown instanceof ProviderError) || thrown.fault !== 'invalid_request') throw thrown;
      const listed = (await this.listDomains()).find((domain) => domain.name === name);
      const existing = listed === undefined ? null : await this.getDomain(listed.id);
      if (existing === null) throw thrown;
      return existing;
    }
  }

  async getDomain(id: string): Promise<ProvidedMailDomain | null> {
    const answer = await this.#ofDomain(id, (client, options) => client.domains.get(id, options));
    return answer === null ? null : readDomain(answer);
  }

  async listDomains(): Promise<readonly ListedMailDomain[]> {
    const all: ListedMailDomain[] = [];
    for (;;) {
      const after = all.at(-1)?.id;
      const page = await this.#page(after);
      all.push(...page.data);
      if (!page.has_more || page.data.length === 0) return all;
    }
  }

  async sendMail({ from, to, subject, text, html, messageId }: OutgoingMail): Promise<void> {
    const payload = { from: fromLine(from), to, subject, text, html, headers: { 'Message-ID': `<${messageId}>` } };
    // Resend sends only one mail per idempotency key within a day.
    const once = { idempotencyKey: messageId };
    await this.#client.request((client, options) => client.emails.send(payload, { ...options, ...once }));
  }

  async verifyDomain(id: string): Promise<boolean> {
    return (await this.#ofDomain(id, (client, options) => client.domains.verify(id, options))) !== null;
  }

  async removeDomain(id: string): Promise<boolean> {
    return (await this.#ofDomain(id, (client, options) => client.domains.remove(id, options))) !== null;
  }

  async #page(after: string | undefined): Promise<DomainPage> {
    const position = after === undefined ? { limit: pageSize } : { limit: pageSize, after };
    return readPage(await this.#client.request((client, options) => client.domains.list(position, options)));
  }

  /** Returns null for an unknown domain: 404, or 400 and 422 for an id in another format than Resend's. */
  async #ofDomain(id: string, send: SendRequest): Promise<unknown> {
    // The client does not encode ids in paths.
    if (!/^[\w-]+$/.test(id)) return null;
    try {
      return await this.#client.request(send);
    } catch (thrown) {
      if (thrown instanceof ProviderError && [400, 404, 422].includes(thrown.status ?? 0)) return null;
      throw thrown;
    }
  }
}
