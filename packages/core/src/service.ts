import { hostname } from 'node:os';
import { EventEmitter } from 'eventemitter3';
import { AfterCall } from './after-call/after-call.ts';
import { loadSileroVad } from './audio/vad/silero.ts';
import type { CallDependencies } from './calls/call-dependencies.ts';
import { DestinationGuard } from './calls/destination-guard.ts';
import { FoundNumber } from './calls/found-number.ts';
import { LiveCalls } from './calls/live-calls.ts';
import { endCallsOfNodes, endLostCalls } from './calls/lost-calls.ts';
import { MinutesGuard } from './calls/minutes-guard.ts';
import { ProviderRegistry } from './calls/provider-registry.ts';
import { Telemetry } from './calls/telemetry.ts';
import { CampaignScheduler } from './campaigns/scheduling/scheduler.ts';
import { CampaignChanges } from './campaigns/status/campaign-changes.ts';
import { systemClock } from './clock/system-clock.ts';
import { timestamp } from './clock/timestamp.ts';
import { ServiceNode } from './cluster/service-node.ts';
import { llmConfigSchema } from './domain/agent.ts';
import { toError, VaError } from './errors.ts';
import type { ServiceEvents } from './events.ts';
import { systemRandom } from './ids.ts';
import { Janitor } from './janitor.ts';
import { InProcessJobs } from './jobs/in-process-jobs.ts';
import { readLoad, type ServiceLoad } from './load.ts';
import { defaultLogger } from './logger/default-logger.ts';
import { Mails } from './mail/mails.ts';
import { senderOf } from './mail/sender-of.ts';
import { SpeechJudge } from './media/speech-judge.ts';
import { Ticker } from './media/ticker.ts';
import { carryOut } from './operations/call-commands.ts';
import type { HandlerHost, Health, HealthCheck, Readiness } from './operations/host.ts';
import { createIdempotencyStore } from './operations/idempotency.ts';
import { createOperations, type Operations } from './operations/operations.ts';
import { toPrincipal } from './operations/principal.ts';
import type { NodeRecord } from './ports/cluster.ts';
import type { Logger } from './ports/logger.ts';
import type { DialRequest, OutgoingCall } from './ports/telephony.ts';
import { FixedSpeechCache } from './providers/fixed-speech.ts';
import { ProviderCircuits } from './providers/provider-circuits.ts';
import { folderRecordings } from './recordings/folder-recordings.ts';
import { RecordingLinks } from './recordings/recording-links.ts';
import { applyRetention } from './retention/apply-retention.ts';
import { SchemaChecker } from './schema/schema-checker.ts';
import { sealedStorage } from './sealing/sealed-storage.ts';
import type { VoiceAgentsOptions } from './service-options.ts';
import { version } from './version.ts';
import { warmUp } from './warm-up.ts';
import { WebhookOutbox } from './webhooks/outbox.ts';
import { createWebhookHost } from './webhooks/webhook-host.ts';

const defaultLeaseMs = 12_000;

/** Answers to idempotent requests that are older than a day go away this often. */
const purgeEveryMs = 3_600_000;

/** As long as a link to S3 can be valid. */
const mailedLinkSeconds = 7 * 24 * 3_600;

/** A running service. It is what `createHandler` of @va/http serves. */
export interface VoiceAgents extends HandlerHost {
  readonly operations: Operations;
  readonly events: EventEmitter<ServiceEvents>;
  /** Calls that are going on in this process. */
  readonly activeCalls: number;
  /** The processes on the same storage, this one included; none where the storage is this process's alone. */
  nodes(): Promise<readonly NodeRecord[]>;
  /** What this process has to do now. Rejects where the queue of jobs cannot be asked. */
  load(): Promise<ServiceLoad>;
  /** Opens the storage and starts to take calls. When a part cannot start, those before it are closed again. */
  start(): Promise<void>;
  /**
   * Takes no more calls, gives the live ones and the webhooks `drainMs` (default 10 s), and closes everything. A second
   * call waits for the first.
   */
  close(options?: { drainMs?: number }): Promise<void>;
}

/**
 * The whole service in the host's process.
 *
 * @example
 * const va = createVoiceAgents({ storage: pglite({ dir: './va-data' }), providers: localSpeech(), webhooks: webhooks() });
 * await va.start();
 *
 * @throws VaError `duplicate_provider`
 */
export function createVoiceAgents(options: VoiceAgentsOptions): VoiceAgents {
  const { webhooks, clock = systemClock, random = systemRandom, telephony = [] } = options;
  const storage = sealedStorage(options.storage, { vault: options.vault, clock, random });
  const logger: Logger = options.logger ?? defaultLogger();
  const recordings = options.recordings ?? folderRecordings({ dir: 'va-recordings' });
  const events = new EventEmitter<ServiceEvents>();
  const publicUrl = (options.publicUrl ?? '').replace(/\/$/, '');

  function emit<Name extends keyof ServiceEvents>(name: Name, event: Parameters<ServiceEvents[Name]>[0]): void {
    try {
      events.emit(name, ...([event] as EventEmitter.EventArgs<ServiceEvents, Name>));
    } catch (thrown) {
      logger.error({ err: toError(thrown), event: name }, 'a listener of the host threw');
    }
  }

  function dial(request: DialRequest): OutgoingCall {
    for (const adapter of telephony) if (adapter.dial !== undefined) return adapter.dial(request);
    throw new VaError('dial_failed', 'No telephony adapter of this deployment can place calls.');
  }

  const { recordingLinks } = options;
  const ownLinks =
    recordingLinks === undefined || recordings.link !== undefined
      ? null
      : new RecordingLinks(recordingLinks, { clock, recordings, baseUrl: `${publicUrl}/api/v1/recordings` });
  const linker = ownLinks ?? recordings;
  const jobs = storage.jobs ?? new InProcessJobs(clock);
  const outbox = new WebhookOutbox({ webhooks, clock, random, logger });
  const campaignChanges = new CampaignChanges({ storage, jobs, outbox, clock, logger, emit });
  const registry = new ProviderRegistry(options.providers);
  const circuits = new ProviderCircuits(clock);
  const mails = new Mails({
    ...{ storage, jobs, clock, random, logger },
    sender: options.mailer ?? senderOf(options.mail),
    defaultFrom: options.mailFrom ?? null,
    recordingLink: async (orgId, call) =>
      call.recording_url === null ? null : ((await linker.link?.(orgId, call.id, mailedLinkSeconds)) ?? null),
  });
  const schemas = new SchemaChecker(clock);
  const afterCall = new AfterCall({
    ...{ storage, jobs, registry, circuits, outbox, clock, random, logger, emit, mails, schemas },
    vault: options.vault,
    defaultLlm: options.analysisModel === undefined ? null : llmConfigSchema.parse(options.analysisModel),
  });
  const destinations = new DestinationGuard({ storage, clock, logger, mayDial: options.calls?.mayDial });
  const callDependencies: CallDependencies = {
    storage,
    nodeId: () => node.id,
    jobs,
    afterCall,
    minutes: new MinutesGuard({ storage, clock, logger }),
    registry,
    vault: options.vault,
    webhooks,
    outbox,
    recordings,
    recordingUrl: (callId) => `${publicUrl}/api/v1/calls/${callId}/recording`,
    judge: new SpeechJudge(options.vad ?? loadSileroVad(), clock),
    ticker: new Ticker(clock),
    dial,
    destinations,
    telemetry: new Telemetry(clock),
    circuits,
    fixedSpeech: new FixedSpeechCache(),
    clock,
    random,
    logger,
    pricing: options.pricing ?? null,
    onCallEnded: options.onCallEnded,
    mediaTimeout: options.mediaTimeout ?? { initialMs: 30_000, generalMs: 15_000 },
    campaignChanges,
    emit,
  };
  const node = new ServiceNode({
    ...{ storage, clock, random, logger },
    name: options.cluster?.nodeName ?? `${hostname()}:${process.pid}`,
    leaseMs: options.cluster?.leaseMs ?? defaultLeaseMs,
    maxCalls: options.cluster?.maxConcurrentCalls ?? null,
    state: () => ({ isDraining: calls.isDraining, calls: calls.count }),
    onLost: (nodeIds) => endCallsOfNodes(callDependencies, nodeIds),
    onTakenForDead: () => calls.abandon(),
    carryOut: (record) => carryOut(calls, record, logger),
  });
  const calls = new LiveCalls(callDependencies, {
    maxCalls: options.maxConcurrentCalls ?? 200,
    maxLoopLagMs: options.maxEventLoopLagMs ?? 500,
    limits: options.limits,
    node,
  });

  const campaigns = new CampaignScheduler({
    ...{ storage, calls, campaignChanges, clock, random, logger },
    mayCall: options.campaigns?.mayCall,
    providers: options.providers,
  });
  const operations = createOperations({
    campaignChanges,
    ...{ ...options, storage, recordings, jobs, outbox, clock, random, logger, schemas },
    checksProviders: options.agents?.checkProviders,
    control: calls,
    destinations,
    feed: node.feed,
  });
  const idempotency = createIdempotencyStore({ ...options, storage, clock, random });
  const webhookHost = createWebhookHost({ storage, jobs, clock, random, logger, emit, mails });
  const endLost = (graceMs: number): Promise<void> =>
    endLostCalls(callDependencies, { isLive: (callId) => calls.isLive(callId), graceMs });
  const janitor = new Janitor({
    clock,
    logger,
    everyMs: purgeEveryMs,
    work: async () => {
      await idempotency.purge();
      await endLost(60_000);
      await applyRetention({ storage, jobs, recordings, clock, logger });
    },
  });

  let state: 'new' | 'started' | 'closed' = 'new';
  let closing: Promise<void> | null = null;
  let stopWarmUp: () => void = () => {};

  async function checkStorage(): Promise<HealthCheck> {
    return await storage.ping().then(
      (): HealthCheck => ({ status: 'ok' }),
      (thrown): HealthCheck => {
        // Everyone may ask: what the database says, with its address and user, is for the log.
        logger.warn({ err: toError(thrown) }, 'the storage does not answer');
        return { status: 'failed', message: 'The storage does not answer.' };
      },
    );
  }

  async function unreadiness(): Promise<Readiness['reason']> {
    if (closing !== null) return 'draining';
    if (state !== 'started') return 'starting';
    if (!calls.admits()) return 'full';
    return (await checkStorage()).status === 'ok' ? null : 'storage';
  }

  /** Closes all that is open, whatever of it fails; what failed is logged. */
  async function closeAdapters(drainMs: number): Promise<void> {
    const closers = [
      () => campaigns.stop(),
      ...telephony.map((adapter) => () => adapter.close()),
      () => afterCall.stop(drainMs),
      () => schemas.close(),
      () => mails.stop(drainMs),
      () => webhooks.close({ drainMs }),
      () => janitor.stop(),
      () => node.stop(),
      async () => await recordings.close?.(),
      () => storage.close(),
    ];
    for (const close of closers) {
      await close().catch((thrown: unknown) =>
        logger.error({ err: toError(thrown) }, 'closing a part of the service failed'),
      );
    }
  }

  async function startAdapters(): Promise<void> {
    await storage.start();
    await node.start();
    await webhookHost.load();
    webhooks.start(webhookHost);
    afterCall.start();
    mails.start();
    await endLost(0);
    janitor.start();
    for (const adapter of telephony) {
      await adapter.start({
        clock,
        logger: logger.child({ telephony: adapter.id }),
        admits: () => calls.admits(),
        refused: () => emit('call.refused', { telephony: adapter.id }),
        onIncomingCall: (incoming) => calls.take(incoming),
        numbersOf: (dialed) => FoundNumber.findAll({ storage, vault: options.vault }, dialed),
      });
    }
    campaigns.start();
  }

  return {
    operations,
    idempotency,
    events,
    logger,
    clock,
    openLinkedRecording: ownLinks?.open,
    get activeCalls() {
      return calls.count;
    },

    async authenticate({ authorization, toRequest }) {
      if (options.authenticate === undefined) return await operations.apiKeys.authenticate(authorization);
      const authenticated = await options.authenticate(toRequest());
      return authenticated === null ? await operations.apiKeys.authenticate(null) : toPrincipal(authenticated);
    },

    nodes: () => node.nodes(),

    load: () => readLoad(calls, webhooks, jobs),

    async readiness(): Promise<Readiness> {
      const reason = await unreadiness();
      return { status: reason === null ? 'ready' : 'unavailable', reason };
    },

    async health(): Promise<Health> {
      const check = await checkStorage();
      const status = check.status === 'ok' && state === 'started' ? 'ok' : 'unavailable';
      return { status, version, timestamp: timestamp(clock), checks: { storage: check } };
    },

    async start() {
      if (state !== 'new') throw new VaError('invalid_state', 'The service was started before; create a new one.');
      state = 'closed';
      try {
        await startAdapters();
        state = 'started';
        stopWarmUp = warmUp();
      } catch (thrown) {
        await closeAdapters(0);
        throw thrown;
      }
    },

    close({ drainMs = 10_000 } = {}) {
      if (state === 'started') {
        state = 'closed';
        stopWarmUp();
        const draining = calls.drain(drainMs, campaigns.stop());
        void node.tell();
        closing = draining.then(async () => {
          await closeAdapters(drainMs);
          events.removeAllListeners();
        });
      }
      return closing ?? Promise.resolve();
    },
  };
}
