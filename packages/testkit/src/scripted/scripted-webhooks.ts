import type {
  StoredWebhook,
  WebhookDispatcher,
  WebhookHost,
  WebhookMessage,
  WebhookOutcome,
  WebhookRequestOptions,
} from '@va/core/adapter';
import { endJobs, messageOf } from './delivered-webhooks.ts';

/** A dispatcher without a network: records the webhooks and responds by the script. */
export class ScriptedWebhooks implements WebhookDispatcher {
  #host: WebhookHost | null = null;
  readonly messages: WebhookMessage[] = [];
  /** Ignored fields of the responses. */
  readonly ignored: string[] = [];
  answer: (message: WebhookMessage) => unknown = () => ({ result: 'ok' });
  outcome: (message: WebhookMessage) => WebhookOutcome | Promise<WebhookOutcome> = (message) => ({
    ok: true,
    status: 200,
    body: this.answer(message),
    latencyMs: 1,
  });

  get events(): string[] {
    return this.messages.map(({ event }) => event);
  }

  /** Returns the content of the messages of one event. */
  of(event: string): Record<string, unknown>[] {
    return this.messages.filter((each) => each.event === event).map(({ message }) => message);
  }

  start(host: WebhookHost): void {
    this.#host = host;
  }

  async request(message: WebhookMessage, options: WebhookRequestOptions): Promise<WebhookOutcome> {
    this.messages.push(message);
    const outcome = await this.#exchange(message, options);
    if (outcome.ok) this.ignored.push(...(options.faultsOf?.(outcome.body) ?? []));
    return outcome;
  }

  async #exchange(message: WebhookMessage, options: WebhookRequestOptions): Promise<WebhookOutcome> {
    return await new Promise((resolve) => {
      const abort = (): void =>
        resolve({ ok: false, reason: 'aborted', status: null, message: 'aborted', latencyMs: 0 });
      options.signal.addEventListener('abort', abort, { once: true });
      void Promise.resolve(this.outcome(message)).then((outcome) => {
        options.signal.removeEventListener('abort', abort);
        resolve(outcome);
      });
    });
  }

  hasRoom(): boolean {
    return true;
  }

  deliver(stored: readonly StoredWebhook[]): void {
    this.messages.push(...stored.map(messageOf));
    endJobs(this.#host, stored);
  }

  async settled(): Promise<void> {}

  async close(): Promise<void> {}
}
