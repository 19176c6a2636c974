import { timestamp } from '../clock/timestamp.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import { UniqueViolation } from '../errors.ts';
import { type RandomBytes, uuidv7 } from '../ids.ts';
import { transactionWithJobs } from '../jobs/transaction.ts';
import type { Mails } from '../mail/mails.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobQueue } from '../ports/jobs.ts';
import type { Logger } from '../ports/logger.ts';
import type { Records } from '../ports/storage/records.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { WebhookAttempt } from '../ports/webhooks.ts';

/**
 * Time of failures after which an endpoint is disabled: longer than all retries of a report take, unless the endpoint
 * asks for longer delays with `Retry-After`.
 */
const patienceMs = 5 * 24 * 3_600_000;

/** Maximum failing endpoints that are loaded; others are noticed again at their next failure. */
const maxEndpoints = 100_000;

/** Maximum time until this process sees that another one disabled or enabled an endpoint. */
const refreshEveryMs = 30_000;

/** Events that are retried. Failures of other events, whose response is awaited, do not count. */
const isRepeated: ReadonlySet<string> = new Set(['status-update', 'end-of-call-report', 'campaign-update']);

interface EndpointHealthDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  readonly jobs: JobQueue;
  readonly mails?: Pick<Mails, 'endpointJobs'>;
  readonly onDisabled: (event: { orgId: string; endpoint: WebhookEndpoint }) => void;
}

/** Tracks failing webhook endpoints, and disables those that failed for days or answered 410. */
export class EndpointHealth {
  readonly #deps: EndpointHealthDependencies;
  #failing = new Map<string, WebhookEndpoint>();
  #loadedAtMs = 0;
  #loading: Promise<void> | null = null;

  constructor(deps: EndpointHealthDependencies) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    const { storage, clock } = this.#deps;
    this.#loadedAtMs = clock.nowMs();
    const found = await storage.across.webhookEndpoints.find({}, maxEndpoints);
    this.#failing = new Map(found.map(({ orgId, record }) => [keyOf(orgId, record.url), record]));
  }

  /**
   * Returns why an endpoint is disabled; null if it is enabled. Queries the storage only for endpoints that were
   * disabled.
   */
  async disabled(orgId: string, url: string): Promise<string | null> {
    if (this.#failing.get(keyOf(orgId, url))?.disabled_at == null) return null;
    const { webhookEndpoints } = this.#deps.storage;
    const [endpoint] = await webhookEndpoints.list(orgId, { where: { url }, limit: 1 });
    if (endpoint === undefined) this.#failing.delete(keyOf(orgId, url));
    if (endpoint?.disabled_at == null) return null;
    return `The endpoint has been disabled since ${endpoint.disabled_at}. ${endpoint.reason}`;
  }

  /** Records the results of attempts, in order. */
  async observe(attempts: readonly WebhookAttempt[]): Promise<void> {
    for (const attempt of attempts) {
      const before = this.#failing.get(keyOf(attempt.orgId, attempt.url));
      if (attempt.outcome.ok) {
        if (before !== undefined) await this.#recovered(attempt, before);
      } else if (isRepeated.has(attempt.event)) {
        await this.#failed(attempt, attempt.outcome.status, before);
      }
    }
    await this.#refresh();
  }

  async #failed(attempt: WebhookAttempt, status: number | null, before: WebhookEndpoint | undefined): Promise<void> {
    if (before?.disabled_at != null) return;
    const { storage, clock, random } = this.#deps;
    const now = timestamp(clock);
    const endpoint: WebhookEndpoint = before ?? {
      id: uuidv7(clock, random),
      url: attempt.url,
      failing_since: now,
      disabled_at: null,
      reason: null,
      created_at: now,
    };
    const reason = this.#reasonToDisable(endpoint, status);
    const after = reason === null ? endpoint : { ...endpoint, disabled_at: now, reason };
    this.#failing.set(keyOf(attempt.orgId, attempt.url), after);
    if (before === undefined) await insert(storage, attempt.orgId, endpoint);
    if (reason !== null && (await this.#disable(attempt.orgId, after))) this.#tell(attempt.orgId, after);
  }

  /**
   * Stores that the endpoint is disabled, with the jobs of the mails about it. Returns false if another process did so
   * before.
   */
  async #disable(orgId: string, endpoint: WebhookEndpoint): Promise<boolean> {
    const { mails } = this.#deps;
    return await transactionWithJobs(this.#deps, async (tx, sender) => {
      const { url, disabled_at, reason } = endpoint;
      const isMine = { where: { url, disabled_at: null } };
      if ((await tx.webhookEndpoints.updateMany(orgId, isMine, { disabled_at, reason })) === 0) return false;
      if (mails !== undefined) await sender.send(await mails.endpointJobs(tx, orgId, endpoint));
      return true;
    });
  }

  #reasonToDisable({ failing_since }: WebhookEndpoint, status: number | null): string | null {
    if (status === 410) return 'It answered 410 Gone.';
    if (this.#deps.clock.wallMs() - Date.parse(failing_since) < patienceMs) return null;
    return `Nothing was delivered since ${failing_since}.`;
  }

  #tell(orgId: string, endpoint: WebhookEndpoint): void {
    const { logger, onDisabled } = this.#deps;
    const { url, reason } = endpoint;
    logger.error({ orgId, url, reason }, 'disabled a webhook endpoint until its URL is set again');
    onDisabled({ orgId, endpoint });
  }

  async #recovered({ orgId, url }: WebhookAttempt, { id }: WebhookEndpoint): Promise<void> {
    this.#failing.delete(keyOf(orgId, url));
    await this.#deps.storage.webhookEndpoints.delete(orgId, id);
  }

  /** Reloads outdated endpoints, once at a time. Only called after attempts: an idle service sends no queries. */
  async #refresh(): Promise<void> {
    if (this.#deps.clock.nowMs() - this.#loadedAtMs < refreshEveryMs) return;
    this.#loading ??= this.load().finally(() => {
      this.#loading = null;
    });
    await this.#loading;
  }
}

/** Enables the endpoint of a URL that was set, even to the same value. */
export async function enableAgain(tx: Records, orgId: string, url: string | null): Promise<void> {
  if (url === null) return;
  const found = await tx.webhookEndpoints.list(orgId, { where: { url }, limit: 1 });
  for (const { id } of found) await tx.webhookEndpoints.delete(orgId, id);
}

/** Inserts the record of a failing endpoint, unless another process has. */
async function insert({ webhookEndpoints }: Storage, orgId: string, endpoint: WebhookEndpoint): Promise<void> {
  try {
    await webhookEndpoints.insert(orgId, endpoint);
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
  }
}

function keyOf(orgId: string, url: string): string {
  return `${orgId} ${url}`;
}
