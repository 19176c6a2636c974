import type { CallControl } from '../calls/call-control.ts';
import type { DestinationGuard } from '../calls/limits/destination-guard.ts';
import { CampaignPublisher } from '../campaigns/status/campaign-publisher.ts';
import type { Clips } from '../clips/clips.ts';
import type { CallFeed } from '../cluster/call-feed.ts';
import type { PriceList } from '../costs/price-list.ts';
import type { ByokProvider } from '../domain/accounts/byok.ts';
import { byokCatalog } from '../domain/accounts/byok-catalog.ts';
import type { CarrierType } from '../domain/numbers/carrier-account.ts';
import type { RandomBytes } from '../ids.ts';
import { InProcessJobs } from '../jobs/in-process-jobs.ts';
import type { LiveFeed } from '../live/live-feed.ts';
import { defaultLogger } from '../node/default-logger.ts';
import { systemDns } from '../node/system-dns.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobQueue } from '../ports/jobs.ts';
import type { Logger } from '../ports/logger.ts';
import type { DnsResolver } from '../ports/mail/dns.ts';
import type { MailProvider } from '../ports/mail/mail-provider.ts';
import type { Provider } from '../ports/providers/provider.ts';
import type { RecordingStore } from '../ports/recordings.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { ToolServers } from '../ports/tool-servers.ts';
import type { Vault } from '../ports/vault.ts';
import type { WebhookDispatcher } from '../ports/webhooks.ts';
import { SchemaChecker } from '../schema/schema-checker.ts';
import { sealedStorage } from '../sealing/sealed-storage.ts';
import type { HostTool } from '../tools/define-tool.ts';
import { HostTools } from '../tools/host-tools.ts';
import { VoiceSampler } from '../voice-samples/voice-sampler.ts';
import { WebhookOutbox } from '../webhooks/outbox.ts';
import { type ApiKeyOperations, createApiKeyOperations } from './accounts/api-keys.ts';
import { type ByokOperations, createByokOperations } from './accounts/byok.ts';
import { createMailDomainOperations, type MailDomainOperations, type MayUseDomain } from './accounts/mail-domains.ts';
import { createOrganizationOperations, type OrganizationOperations } from './accounts/organizations.ts';
import { createPublishableKeyOperations, type PublishableKeyOperations } from './accounts/publishable-keys.ts';
import { type AgentOperations, createAgentOperations } from './agents/agents.ts';
import { type AnalysisTemplateOperations, createAnalysisTemplateOperations } from './agents/analysis-templates.ts';
import { createToolTemplateOperations, type ToolTemplateOperations } from './agents/tool-templates.ts';
import type { OnVoiceSampled } from './agents/voice-samples.ts';
import { createVoiceOperations, type VoiceOperations } from './agents/voices.ts';
import { type CallOperations, createCallOperations } from './calls/calls.ts';
import { createStatisticsOperations, type StatisticsOperations } from './calls/statistics.ts';
import { createUsageOperations, type UsageOperations } from './calls/usage.ts';
import { type CampaignOperations, createCampaignOperations } from './campaigns/campaigns.ts';
import { createDoNotCallOperations, type DoNotCallOperations } from './campaigns/do-not-call.ts';
import { createLeadOperations, type LeadOperations } from './campaigns/leads.ts';
import { createPhoneNumberOperations, type MayUseNumber, type PhoneNumberOperations } from './lines/numbers.ts';
import { createSipTrunkOperations, type SipTrunkOperations } from './lines/sip-trunks.ts';
import type { TrunkHealthDependencies } from './lines/trunk-health.ts';
import { createWebhookDeliveryOperations, type WebhookDeliveryOperations } from './webhooks/webhook-deliveries.ts';

/**
 * The operations of the API without HTTP. Tenant operations take the organization's id first.
 *
 * @example await va.operations.agents.create(orgId, { name: 'Reception' });
 */
export interface Operations {
  readonly agents: AgentOperations;
  readonly analysisTemplates: AnalysisTemplateOperations;
  readonly apiKeys: ApiKeyOperations;
  readonly byok: ByokOperations;
  readonly calls: CallOperations;
  readonly campaigns: CampaignOperations;
  readonly doNotCall: DoNotCallOperations;
  readonly leads: LeadOperations;
  readonly mailDomains: MailDomainOperations;
  readonly numbers: PhoneNumberOperations;
  readonly organizations: OrganizationOperations;
  readonly statistics: StatisticsOperations;
  readonly publishableKeys: PublishableKeyOperations;
  readonly toolTemplates: ToolTemplateOperations;
  readonly trunks: SipTrunkOperations;
  readonly usage: UsageOperations;
  readonly voices: VoiceOperations;
  readonly webhookDeliveries: WebhookDeliveryOperations;
}

/** Dependencies of `createOperations`. */
export interface OperationsDependencies {
  readonly storage: Storage;
  readonly recordings: RecordingStore;
  /** By default the storage's job queue. */
  readonly jobs?: JobQueue | undefined;
  /** Without a vault, operations that store secrets fail with 503. */
  readonly vault?: Vault | undefined;
  /** Sources of the provider catalog and the voices. */
  readonly providers?: readonly Provider[];
  /** Further entries of the provider catalog. */
  readonly catalog?: readonly ByokProvider[] | undefined;
  /** True if agents may name only `providers`; by default true if `providers` are given. */
  readonly checksProviders?: boolean | undefined;
  /** Without a mail provider, operations that need one fail with 503. */
  readonly mail?: MailProvider | undefined;
  readonly dns?: DnsResolver | undefined;
  readonly webhooks: WebhookDispatcher;
  /** Creates the jobs of outgoing webhooks; by default an outbox that delivers by `webhooks`. */
  readonly outbox?: WebhookOutbox | undefined;
  /**
   * Mail domains of the host's account that organizations may use; by default none, if there are several organizations.
   */
  readonly mayUseDomain?: MayUseDomain | undefined;
  /** Phone numbers that organizations may register; all by default. */
  readonly mayUseNumber?: MayUseNumber | undefined;
  /** Checks destinations of requested outbound calls; all are allowed by default. */
  readonly destinations?: Pick<DestinationGuard, 'refusal'> | undefined;
  /** Carriers that an adapter of the host serves: trunks of others are refused. All by default. */
  readonly carriers?: readonly CarrierType[] | undefined;
  /** Tools of the host that agents may name; not checked by default. */
  readonly tools?: readonly HostTool[] | undefined;
  /** Audio clips that agents may name; not checked by default. */
  readonly clips?: Pick<Clips, 'has'> | undefined;
  /** Lists the tools of MCP servers that agents name. */
  readonly mcp?: ToolServers | undefined;
  /** Checks JSON Schemas; created by default. */
  readonly schemas?: SchemaChecker | undefined;
  /** WebSocket URL that browsers call; null or absent if the deployment takes no web calls. */
  readonly webCallUrl?: string | null | undefined;
  /** Controls the calls of this process; without it calls are read-only. */
  readonly control?: CallControl | undefined;
  /** Change feed of stored call events; polls when absent. */
  readonly feed?: Pick<CallFeed, 'watch' | 'isAlone'> | undefined;
  /** Source of live events; without it `calls.live` throws 503. */
  readonly live?: Pick<LiveFeed, 'join'> | undefined;
  /** Reads the trunk health that nodes published; without it every trunk is `unknown`. */
  readonly clusterTrunkHealth?: TrunkHealthDependencies['clusterTrunkHealth'];
  /** Publishes campaign changes; by default to webhooks only. */
  readonly campaignPublisher?: CampaignPublisher | undefined;
  readonly logger?: Logger | undefined;
  /** Prices of samples of voices; without them they cost nothing. */
  readonly prices?: Pick<PriceList, 'unitPrice'> | undefined;
  /** Called with the usage of each sample of a voice. */
  readonly onVoiceSampled?: OnVoiceSampled | undefined;
  /** Currency of the host's prices; budgets are refused if it is null or absent, because calls have no cost then. */
  readonly currency?: string | null | undefined;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/**
 * Creates the operations behind the REST API without the rest of the service, for processes that take no calls.
 *
 * @example const operations = createOperations({ storage, recordings, webhooks: webhooks(), clock: systemClock,
 * random: systemRandom });
 */
export function createOperations(given: OperationsDependencies): Operations {
  const options = withSealedStorage(given);
  const { storage, providers = [], dns = systemDns(), schemas = new SchemaChecker(options.clock) } = options;
  const logger = options.logger ?? defaultLogger();
  const jobs = options.jobs ?? storage.jobs ?? new InProcessJobs(options.clock);
  const outbox = options.outbox ?? new WebhookOutbox({ ...options, logger });
  const campaignPublisher = options.campaignPublisher ?? new CampaignPublisher({ ...options, jobs, outbox, logger });
  const checkedProviders = options.checksProviders === false ? undefined : options.providers;
  const tools = options.tools && { hostTools: new HostTools(options.tools, logger), toolServers: options.mcp };
  const deps = { ...options, jobs, outbox, logger, campaignPublisher, checkedProviders, schemas, tools };
  const byokProviders = byokCatalog([...(options.catalog ?? []), ...providers.flatMap(({ catalog }) => catalog ?? [])]);
  const synthesizers = providers.filter((provider) => provider.kind === 'tts');
  return {
    agents: createAgentOperations(deps),
    analysisTemplates: createAnalysisTemplateOperations(deps),
    apiKeys: createApiKeyOperations(deps),
    byok: createByokOperations({ ...deps, byokProviders }),
    calls: createCallOperations(deps),
    campaigns: createCampaignOperations(deps),
    doNotCall: createDoNotCallOperations(deps),
    leads: createLeadOperations(deps),
    mailDomains: createMailDomainOperations({ ...deps, dns }),
    numbers: createPhoneNumberOperations(deps),
    organizations: createOrganizationOperations(deps),
    statistics: createStatisticsOperations(deps),
    publishableKeys: createPublishableKeyOperations(deps),
    toolTemplates: createToolTemplateOperations(deps),
    trunks: createSipTrunkOperations(deps),
    usage: createUsageOperations(deps),
    voices: createVoiceOperations({
      ...deps,
      vault: deps.vault,
      synthesizers,
      sampler: new VoiceSampler(options.clock),
      check: { providers: checkedProviders, schemas },
    }),
    webhookDeliveries: createWebhookDeliveryOperations(deps),
  };
}

/** Seals secrets in records, unless the given storage already does. */
function withSealedStorage(given: OperationsDependencies): OperationsDependencies {
  const { storage: plain, vault, clock, random } = given;
  const storage = sealedStorage(plain, { vault, clock, random });
  const jobs = given.jobs === plain.jobs ? storage.jobs : given.jobs;
  return { ...given, storage, jobs };
}
