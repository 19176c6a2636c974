import type { EventEmitter } from 'eventemitter3';
import { timestamp } from '../clock/timestamp.ts';
import { readDeployment } from '../deployment/read-deployment.ts';
import type { Deployment } from '../domain/deployment/deployment.ts';
import { toError } from '../errors.ts';
import type { ServiceEvents } from '../events.ts';
import { type Principal, toPrincipal } from '../operations/accounts/principal.ts';
import type { Credentials, HandlerHost, Health, HealthCheck, Readiness } from '../operations/host.ts';
import type { IdempotencyStore } from '../operations/idempotency.ts';
import type { Operations } from '../operations/operations.ts';
import type { Clock } from '../ports/clock.ts';
import type { NodeRecord } from '../ports/cluster.ts';
import type { Logger } from '../ports/logger.ts';
import type { TelephonyHttp } from '../ports/telephony-http.ts';
import type { OpenLinked } from '../recordings/recording-links.ts';
import { version } from '../version.ts';
import { type BuiltService, buildService, type ServiceSettings, withDefaults } from './build-service.ts';
import { Lifecycle } from './lifecycle.ts';
import { readLoad, type ServiceLoad } from './load.ts';
import type { VoiceAgentsOptions } from './service-options.ts';
import { warmUp } from './warm-up.ts';

const defaultDrainMs = 10_000;

/** A voice-agent service in the host's process. `createHandler` of @va/http serves its REST API. */
export interface VoiceAgents extends HandlerHost {
  /** The operations behind the REST API, for calls within the process. */
  readonly operations: Operations;
  /** Events of calls, providers, webhooks and campaigns. An error that a listener throws is logged. */
  readonly events: EventEmitter<ServiceEvents>;
  /** ISO 4217 code of the host's prices; null without prices. */
  readonly currency: string | null;
  /** Number of calls in progress in this process. */
  readonly activeCalls: number;
  /** Returns the processes that share the storage, this one included; empty if the storage belongs to this process. */
  nodes(): Promise<readonly NodeRecord[]>;
  /** Returns the current load of this process. Rejects if the job queue is unreachable. */
  load(): Promise<ServiceLoad>;
  /**
   * Opens the storage, starts all parts and accepts calls. If a part fails to start, all that were opened are closed.
   * @throws VaError `invalid_state` if the service was started or closed before; errors of parts, such as
   *   `MigrationError` of the storage or `sip_…` of the SIP adapter
   */
  start(): Promise<void>;
  /**
   * Stops accepting calls, waits up to `drainMs` milliseconds (10,000 by default) for calls and webhooks in progress,
   * ends the remaining calls with `service_shutdown`, and closes all parts. During a start it closes what has been
   * started, and `start` rejects. A second call returns the promise of the first.
   */
  close(options?: { drainMs?: number }): Promise<void>;
}

/**
 * Creates a voice-agent service. Nothing is opened before `start`.
 *
 * @example const va = createVoiceAgents({ storage: pglite({ dir: './va-data' }), providers: localSpeech(), webhooks:
 *   webhooks() }); await va.start();
 *
 * @throws VaError `duplicate_provider` for two providers of one kind with the same id, `invalid_options` for a bad
 *   value
 */
export function createVoiceAgents(options: VoiceAgentsOptions): VoiceAgents {
  return new Service(withDefaults(options));
}

class Service implements VoiceAgents {
  readonly operations: Operations;
  readonly idempotency: IdempotencyStore;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly openLinkedRecording: OpenLinked | undefined;
  readonly telephonyHttp: ReadonlyMap<string, TelephonyHttp>;
  readonly currency: string | null;
  readonly publicUrl: string | null;
  readonly #settings: ServiceSettings;
  readonly #built: BuiltService;
  readonly #lifecycle: Lifecycle;
  readonly #operators: ReadonlySet<string>;
  #stopWarmUp: () => void = () => {};
  #startedAt: string | null = null;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
    this.#operators = new Set(settings.operators);
    this.#built = buildService(settings, () => this.#lifecycle.phase);
    this.#lifecycle = new Lifecycle(this.#built.parts, settings.logger);
    this.operations = this.#built.operations;
    this.idempotency = this.#built.idempotency;
    this.logger = settings.logger;
    this.clock = settings.clock;
    this.openLinkedRecording = this.#built.openLinkedRecording;
    this.telephonyHttp = this.#built.telephonyHttp;
    this.currency = this.#built.currency;
    this.publicUrl = settings.publicUrl?.replace(/\/$/, '') ?? null;
  }

  get events(): EventEmitter<ServiceEvents> {
    return this.#built.events.emitter;
  }

  get activeCalls(): number {
    return this.#built.calls.count;
  }

  nodes(): Promise<readonly NodeRecord[]> {
    return this.#built.node.nodes();
  }

  async deployment(): Promise<Deployment> {
    const { node, jobs } = this.#built;
    const records = await node.nodes();
    // The own state of this process is newer than the one that it published.
    const state = node.state();
    const latest = records.map((record) => (record.id === state.id ? { ...record, ...state } : record));
    return await readDeployment(latest.length > 0 ? latest : [this.#alone()], {
      jobs,
      clock: this.clock,
      logger: this.logger,
      nodeId: node.id,
    });
  }

  load(): Promise<ServiceLoad> {
    const { calls, jobs } = this.#built;
    return readLoad(calls, this.#settings.webhooks, jobs);
  }

  async authenticate(credentials: Credentials): Promise<Principal> {
    const publishable = await this.operations.publishableKeys.authenticate(credentials.authorization);
    if (publishable !== null) return publishable;
    const principal = await this.#member(credentials);
    return this.#operators.has(principal.orgId) ? { ...principal, isOperator: true } : principal;
  }

  async #member({ authorization, toRequest }: Credentials): Promise<Principal> {
    const { authenticate } = this.#settings;
    if (authenticate === undefined) return await this.operations.apiKeys.authenticate(authorization);
    const authenticated = await authenticate(toRequest());
    return authenticated === null ? await this.operations.apiKeys.authenticate(null) : toPrincipal(authenticated);
  }

  async health(): Promise<Health> {
    const check = await this.#checkStorage();
    const status = check.status === 'ok' && this.#lifecycle.phase === 'started' ? 'ok' : 'unavailable';
    return { status, version, timestamp: timestamp(this.clock), checks: { storage: check } };
  }

  async readiness(): Promise<Readiness> {
    const reason = await this.#unreadiness();
    return { status: reason === null ? 'ready' : 'unavailable', reason };
  }

  async start(): Promise<void> {
    this.#startedAt = timestamp(this.clock);
    await this.#lifecycle.start();
    void this.#built.node.tell();
    this.#stopWarmUp = warmUp();
  }

  async close({ drainMs = defaultDrainMs }: { drainMs?: number } = {}): Promise<void> {
    await this.#lifecycle.close(drainMs, () => this.#drain(drainMs));
    this.events.removeAllListeners();
  }

  /** Returns the record of this process, for a storage without a cluster. */
  #alone(): NodeRecord {
    const now = timestamp(this.clock);
    return { ...this.#built.node.state(), startedAt: this.#startedAt ?? now, expiresAt: now, renewedAt: now };
  }

  async #drain(drainMs: number): Promise<void> {
    const { calls, campaigns, node } = this.#built;
    this.#stopWarmUp();
    const drained = calls.drain(drainMs, campaigns.stop());
    void node.tell();
    await drained;
  }

  async #unreadiness(): Promise<Readiness['reason']> {
    const { phase } = this.#lifecycle;
    if (phase === 'draining' || phase === 'closed') return 'draining';
    if (phase !== 'started') return 'starting';
    if (!this.#built.calls.admits()) return 'full';
    return (await this.#checkStorage()).status === 'ok' ? null : 'storage';
  }

  async #checkStorage(): Promise<HealthCheck> {
    try {
      await this.#built.storage.ping();
      return { status: 'ok' };
    } catch (thrown) {
      // The check is public: the database's own message, with its address and user, belongs in the log only.
      this.logger.warn({ err: toError(thrown) }, 'storage is unreachable');
      return { status: 'failed', message: 'The storage is unreachable.' };
    }
  }
}
