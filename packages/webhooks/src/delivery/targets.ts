import type { OutgoingWebhook, WebhookHost, WebhookTarget } from '@va/core/adapter';

/** Cache lifetime of targets: a backlog goes to few servers, and a changed target takes effect within this time. */
const freshMs = 1_000;

/** Looks up the present targets of stored webhooks. */
export class Targets {
  readonly #host: WebhookHost;
  readonly #found = new Map<string, Promise<WebhookTarget | null>>();
  #sinceMs = 0;

  constructor(host: WebhookHost) {
    this.#host = host;
  }

  of(message: OutgoingWebhook): Promise<WebhookTarget | null> {
    const nowMs = this.#host.clock.nowMs();
    if (nowMs - this.#sinceMs >= freshMs) {
      this.#found.clear();
      this.#sinceMs = nowMs;
    }
    const key = `${message.orgId} ${message.agentId} ${message.url}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const finding = this.#host.targetOf(message);
    this.#found.set(key, finding);
    // A failed lookup is repeated.
    finding.catch(() => this.#found.delete(key));
    return finding;
  }
}
