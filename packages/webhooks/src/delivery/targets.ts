import type { OutgoingWebhook, WebhookHost, WebhookTarget } from '@va/core';

/** A backlog goes to few servers: each is looked up once in this time, and no change of one goes unseen for longer. */
const freshMs = 1_000;

/** Where stored messages go today. */
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
    // What failed is asked again.
    finding.catch(() => this.#found.delete(key));
    return finding;
  }
}
