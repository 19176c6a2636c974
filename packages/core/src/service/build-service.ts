import { hostname } from 'node:os';
import { loadSileroVad, Ticker, VadBatcher } from '@va/media';
import { AfterCall } from '../after-call/after-call.ts';
import { CreditGuard } from '../calls/limits/credit-guard.ts';
import { DestinationGuard } from '../calls/limits/destination-guard.ts';
import { MinutesGuard } from '../calls/limits/minutes-guard.ts';
import type { TrunkDialRequest } from '../calls/line/trunk-access.ts';
import { LiveCalls } from '../calls/live-calls.ts';
import { FoundNumber } from '../calls/origin/found-number.ts';
import type { CallRecorderDependencies } from '../calls/record/call-recorder.ts';
import { endCallsOfNodes, endLostCalls } from '../calls/record/lost-calls.ts';
import { redeemToken } from '../calls/redeem-token.ts';
import type { SessionDependencies } from '../calls/session/call-session.ts';
import { ProviderRegistry } from '../calls/session/provider-registry.ts';
import { Telemetry } from '../calls/telemetry.ts';
import { TurnJudge } from '../calls/turn-model/turn-judge.ts';
import { CampaignScheduler } from '../campaigns/scheduling/scheduler.ts';
import { CampaignPublisher } from '../campaigns/status/campaign-publisher.ts';
import { Clips } from '../clips/clips.ts';
import { systemClock } from '../clock/system-clock.ts';
import { timestamp } from '../clock/timestamp.ts';
import { ServiceNode } from '../cluster/service-node.ts';
import { PriceList } from '../costs/price-list.ts';
import { ClusterTrunkHealth } from '../deployment/cluster-trunk-health.ts';
import { FailureWatch } from '../deployment/failure-watch.ts';
import { ownDetails, ownWebCallUrl } from '../deployment/own-details.ts';
import { OwnTrunkHealth } from '../deployment/own-trunk-health.ts';
import { type LlmConfig, llmConfigSchema } from '../domain/agents/agent.ts';
import { VaError } from '../errors.ts';
import { systemRandom } from '../ids.ts';
import { InProcessJobs } from '../jobs/in-process-jobs.ts';
import { Mails } from '../mail/mails.ts';
import { senderOf } from '../mail/sender-of.ts';
import { defaultLogger } from '../node/default-logger.ts';
import { folderRecordings } from '../node/folder-recordings.ts';
import { carryOut } from '../operations/calls/call-commands.ts';
import { createIdempotencyStore, type IdempotencyStore } from '../operations/idempotency.ts';
import { createOperations, type Operations } from '../operations/operations.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobQueue } from '../ports/jobs.ts';
import type { Logger } from '../ports/logger.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { OutgoingCall, Telephony } from '../ports/telephony.ts';
import type { TelephonyHttp } from '../ports/telephony-http.ts';
import type { ToolServers } from '../ports/tool-servers.ts';
import { FixedSpeechCache } from '../providers/fixed-speech.ts';
import { ProviderCircuits } from '../providers/provider-circuits.ts';
import { type OpenLinked, RecordingLinks } from '../recordings/recording-links.ts';
import { applyRetention } from '../retention/apply-retention.ts';
import { SchemaChecker } from '../schema/schema-checker.ts';
import { sealedStorage } from '../sealing/sealed-storage.ts';
import { HostTools } from '../tools/host-tools.ts';
import type { ToolSources } from '../tools/tool-sources.ts';
import { WebhookOutbox } from '../webhooks/outbox.ts';
import { createWebhookHost } from '../webhooks/webhook-host.ts';
import { HostEvents } from './host-events.ts';
import { Janitor } from './janitor.ts';
import type { ServicePart, ServicePhase } from './lifecycle.ts';
import type { VoiceAgentsOptions } from './service-options.ts';

const defaultLeaseMs = 12_000;

/** Interval at which expired idempotency keys and records beyond their retention are deleted. */
const purgeEveryMs = 3_600_000;

/** Validity of recording links in mails: the longest of a presigned S3 URL. */
const mailedLinkSeconds = 7 * 24 * 3_600;

/** The parts of a service, created and connected. */
export interface BuiltService {
  readonly operations: Operations;
  readonly idempotency: IdempotencyStore;
  readonly events: HostEvents;
  readonly storage: Storage;
  readonly jobs: JobQueue;
  readonly calls: LiveCalls;
  readonly campaigns: CampaignScheduler;
  readonly node: ServiceNode;
  readonly openLinkedRecording: OpenLinked | undefined;
  readonly telephonyHttp: ReadonlyMap<string, TelephonyHttp>;
  /** ISO 4217 code; null without prices. */
  readonly currency: string | null;
  /** Parts that are started and closed with the service, in starting order. */
  readonly parts: readonly ServicePart[];
}

/** Options with their defaults. */
export type ServiceSettings = VoiceAgentsOptions & Required<Pick<VoiceAgentsOptions, 'clock' | 'random' | 'logger'>>;

export function withDefaults(options: VoiceAgentsOptions): ServiceSettings {
  const { clock = systemClock, random = systemRandom, logger = defaultLogger() } = options;
  return { ...options, clock, random, logger };
}

/**
 * Creates all parts of a service and connects them. Starts nothing.
 * @param phase returns the phase of the service
 */
export function buildService(options: ServiceSettings, phase: () => ServicePhase): BuiltService {
  const { webhooks, clock, random, logger, vault, telephony = [], mail = {}, limits = {} } = options;
  const providers = options.providers.flat();
  const storage = sealedStorage(options.storage, { vault, clock, random });
  const recordings = options.recordings ?? folderRecordings({ dir: 'va-recordings' });
  const publicUrl = (options.publicUrl ?? '').replace(/\/$/, '');
  const failures = new FailureWatch(clock);
  const onJobFailed = (queue: string): void => failures.jobFailed(queue);
  const events = new HostEvents(logger, (name, event) => failures.observe(name, event));
  const { emit } = events;
  const recordingLinks =
    options.recordingLinks === undefined || recordings.link !== undefined
      ? null
      : new RecordingLinks(options.recordingLinks, { clock, recordings, baseUrl: `${publicUrl}/api/v1/recordings` });
  const linker = recordingLinks ?? recordings;
  const jobs = storage.jobs ?? new InProcessJobs(clock);
  const outbox = new WebhookOutbox({ webhooks, clock, random, logger });
  const campaignPublisher = new CampaignPublisher({ storage, jobs, outbox, clock, logger, emit });
  const registry = new ProviderRegistry(providers);
  const circuits = new ProviderCircuits(clock);
  const mails = new Mails({
    storage,
    jobs,
    clock,
    random,
    logger,
    sender: mail.sender ?? senderOf(mail.provider),
    defaultFrom: mail.from ?? null,
    onJobFailed,
    recordingLink: async (orgId, call) =>
      call.recording_url === null ? null : ((await linker.link?.(orgId, call.id, mailedLinkSeconds)) ?? null),
  });
  const schemas = new SchemaChecker(clock);
  const prices = new PriceList(options);
  const afterCall = new AfterCall({
    storage,
    jobs,
    registry,
    circuits,
    outbox,
    clock,
    random,
    logger,
    emit,
    onJobFailed,
    mails,
    schemas,
    prices,
    vault,
    defaultLlm: analysisModelOf(options),
  });
  const destinations = new DestinationGuard({ storage, clock, logger, mayDial: options.calls?.mayDial });
  const shared = { storage, clock, random, logger };
  const minutes = new MinutesGuard({ storage, clock, logger });
  const credit = new CreditGuard({ storage, clock, logger });
  const mediaTimeout = options.mediaTimeout ?? { initialMs: 30_000, generalMs: 15_000 };
  const pricing = options.pricing ?? null;
  const ownTrunkHealth = new OwnTrunkHealth(clock, telephony);
  const dial = (request: TrunkDialRequest): OutgoingCall =>
    ownTrunkHealth.watch(request.trunk.id, dialThrough(telephony, request));
  const record: CallRecorderDependencies = {
    ...shared,
    jobs,
    outbox,
    recordings,
    recordingUrl: (callId) => `${publicUrl}/api/v1/calls/${callId}/recording`,
    pricing,
    prices,
    afterCall,
    onCallEnded: options.onCallEnded,
    campaignPublisher,
    emit,
  };
  const clips = new Clips(options.clips);
  const turnJudge = options.turnModel && new TurnJudge({ ...options.turnModel, clock, logger });
  const session: SessionDependencies = {
    storage,
    vault,
    registry,
    destinations,
    circuits,
    fixedSpeech: new FixedSpeechCache(),
    clips,
    turnPolicy: options.turnPolicy,
    turnJudge,
    ticker: new Ticker(clock),
    judge: new VadBatcher(options.vad ?? loadSileroVad(), clock),
    mediaTimeout,
    clock,
  };
  const tools: ToolSources = { hostTools: new HostTools(options.tools ?? [], logger), toolServers: options.mcp };
  const transfer = { storage, vault, dial, minutes, credit, mediaTimeout, pricing, clock };
  const lostCalls = { ...record, webhooks, registry };
  const node = new ServiceNode({
    storage,
    clock,
    random,
    logger,
    name: options.cluster?.nodeName ?? `${hostname()}:${process.pid}`,
    leaseMs: options.cluster?.leaseMs ?? defaultLeaseMs,
    maxCalls: options.cluster?.maxConcurrentCalls ?? null,
    state: () => ({
      isDraining: calls.isDraining,
      calls: calls.count,
      details: ownDetails({ isStarting: phase() === 'starting', calls, failures, circuits, providers, telephony }),
    }),
    onLost: (nodeIds) => endCallsOfNodes(lostCalls, nodeIds),
    onTakenForDead: () => calls.abandon(),
    carryOut: (record) => carryOut(calls, record, logger),
  });
  const clusterTrunkHealth = new ClusterTrunkHealth({
    ...{ own: ownTrunkHealth, cluster: storage.cluster ?? null, clock, logger },
    nodeId: () => node.id,
    isAlone: () => node.isAlone,
  });
  const calls = new LiveCalls(
    {
      ...shared,
      inbound: { storage, registry, nodeId: () => node.id },
      outbound: { storage, vault, registry, destinations, dial, clock },
      call: {
        ...{ session, record, transfer, tools, webhooks, minutes, credit, logger },
        ...{ telemetry: new Telemetry(clock), live: node.live },
      },
    },
    {
      maxCalls: limits.maxConcurrentCalls ?? 200,
      webCallUrl: ownWebCallUrl(telephony),
      maxLoopLagMs: limits.maxEventLoopLagMs ?? 500,
      limits,
      node,
    },
  );
  const campaigns = new CampaignScheduler({
    storage,
    calls,
    campaignPublisher,
    clock,
    random,
    logger,
    mayCall: options.campaigns?.mayCall,
    providers,
  });
  const operations = createOperations({
    storage,
    recordings,
    jobs,
    vault,
    providers,
    catalog: options.catalog,
    checksProviders: options.agents?.checkProviders,
    tools: options.tools ?? [],
    mcp: options.mcp,
    clips,
    mail: mail.provider,
    dns: mail.dns,
    mayUseDomain: mail.mayUseDomain,
    mayUseNumber: options.numbers?.mayUseNumber,
    webhooks,
    outbox,
    destinations,
    carriers: telephony.flatMap(({ carrier }) => carrier ?? []),
    schemas,
    webCallUrl: webCallUrlOf(telephony, publicUrl),
    control: calls,
    feed: node.feed,
    live: node.live,
    clusterTrunkHealth,
    campaignPublisher,
    logger,
    clock,
    random,
    prices,
    onVoiceSampled: (sampled) => emit('voice.sampled', sampled),
    currency: prices.currency,
  });
  const idempotency = createIdempotencyStore({ storage, vault, clock, random });
  const webhookHost = createWebhookHost({ storage, jobs, clock, random, logger, emit, mails });
  const endLost = (graceMs: number): Promise<void> =>
    endLostCalls(lostCalls, { isLive: (callId) => calls.isLive(callId), graceMs });
  const janitor = new Janitor({
    clock,
    logger,
    everyMs: purgeEveryMs,
    work: async () => {
      await idempotency.purge();
      await endLost(60_000);
      const expired = { where: { expires_at: { lt: timestamp(clock) } } };
      await storage.across.webCallGrants.purge(expired, 10_000);
      await storage.across.supervisionGrants.purge(expired, 10_000);
      await applyRetention({ storage, jobs, recordings, clock, logger });
    },
  });
  const telephonyPart = (adapter: Telephony): ServicePart => ({
    name: `telephony ${adapter.id}`,
    start: () =>
      adapter.start({
        clock,
        logger: logger.child({ telephony: adapter.id }),
        publicUrl: publicUrl === '' ? null : `${publicUrl}/telephony/${adapter.id}`,
        admits: () => calls.admits(),
        refused: () => emit('call.refused', { telephony: adapter.id }),
        onIncomingCall: (incoming) => calls.take(incoming),
        numbersOf: (dialed) => FoundNumber.findAll({ storage, vault }, dialed),
        redeem: (token, origin) => redeemToken({ storage, clock }, token, origin),
      }),
    close: () => adapter.close(),
  });
  return {
    operations,
    idempotency,
    events,
    storage,
    jobs,
    calls,
    campaigns,
    node,
    openLinkedRecording: recordingLinks?.open,
    telephonyHttp: telephonyHttp(telephony),
    currency: prices.currency,
    parts: [
      { name: 'storage', start: () => storage.start(), close: () => storage.close() },
      { name: 'recordings', close: async () => await recordings.close?.() },
      { name: 'node', start: () => node.start(), close: () => node.stop() },
      { name: 'trunk reports', start: () => clusterTrunkHealth.start(), close: () => clusterTrunkHealth.stop() },
      {
        name: 'webhooks',
        start: async () => {
          await webhookHost.load();
          webhooks.start(webhookHost);
        },
        close: (drainMs) => webhooks.close({ drainMs }),
      },
      ...(options.mcp === undefined ? [] : [toolServersPart(options.mcp, { clock, logger })]),
      { name: 'mails', start: () => mails.start(), close: (drainMs) => mails.stop(drainMs) },
      { name: 'schema checks', close: () => schemas.close() },
      { name: 'analysis', start: () => afterCall.start(), close: (drainMs) => afterCall.stop(drainMs) },
      { name: 'lost calls', start: () => endLost(0) },
      { name: 'janitor', start: () => janitor.start(), close: () => janitor.stop() },
      ...(turnJudge === undefined
        ? []
        : [{ name: 'turn model', start: () => turnJudge.open(), close: () => turnJudge.close() }]),
      { name: 'load measurement', start: () => calls.start(), close: async () => calls.stop() },
      ...telephony.map(telephonyPart),
      { name: 'campaigns', start: () => campaigns.start(), close: () => campaigns.stop() },
    ],
  };
}

function toolServersPart(servers: ToolServers, host: { readonly clock: Clock; readonly logger: Logger }): ServicePart {
  return { name: 'tool servers', start: async () => servers.start(host), close: () => servers.close() };
}

/** @throws VaError `invalid_options` for two adapters of one id, or an id that does not fit into a URL */
function telephonyHttp(telephony: readonly Telephony[]): ReadonlyMap<string, TelephonyHttp> {
  const served = new Map<string, TelephonyHttp>();
  for (const adapter of telephony) {
    if (adapter.fetch === undefined && adapter.upgrade === undefined) continue;
    if (!/^[a-z0-9-]{1,64}$/.test(adapter.id) || served.has(adapter.id)) {
      const expected = 'expected an id of its own, of lower-case letters, digits and "-"';
      throw new VaError('invalid_options', `telephony: ${JSON.stringify(adapter.id)}: ${expected}`);
    }
    served.set(adapter.id, adapter);
  }
  return served;
}

/** Returns the WebSocket URL of web calls; null without a public URL, or without an adapter that takes web calls. */
function webCallUrlOf(telephony: readonly Telephony[], publicUrl: string): string | null {
  const adapter = telephony.find(({ webCallPath }) => webCallPath !== undefined);
  if (adapter === undefined || publicUrl === '') return null;
  return `${publicUrl.replace(/^http/, 'ws')}/telephony/${adapter.id}${adapter.webCallPath}`;
}

/** @throws VaError `dial_failed` */
function dialThrough(telephony: readonly Telephony[], request: TrunkDialRequest): OutgoingCall {
  const { trunk } = request;
  if (!('account' in trunk)) {
    for (const adapter of telephony) if (adapter.dial !== undefined) return adapter.dial({ ...request, trunk });
    throw new VaError('dial_failed', 'No telephony adapter of this deployment can place calls over SIP.');
  }
  for (const adapter of telephony) {
    if (adapter.carrier === trunk.type && adapter.dialCarrier !== undefined) {
      return adapter.dialCarrier({ ...request, trunk });
    }
  }
  throw new VaError('dial_failed', `No telephony adapter of this deployment can place calls over ${trunk.type}.`);
}

/** @throws VaError `invalid_options` */
function analysisModelOf({ analysisModel }: VoiceAgentsOptions): LlmConfig | null {
  if (analysisModel === undefined) return null;
  const parsed = llmConfigSchema.safeParse(analysisModel);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = ['analysisModel', ...(issue?.path ?? [])].join('.');
  throw new VaError('invalid_options', `${path}: ${issue?.message ?? 'is invalid'}`);
}
