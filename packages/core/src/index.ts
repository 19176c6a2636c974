export { EventQueue } from './async/event-queue.ts';
export { decodeG711, encodeG711, type G711Encoding, g711Silence } from './audio/g711.ts';
export { createResampler, type Resample } from './audio/resampler.ts';
export { loadSileroVad, type SileroModel, type VadStream, vadWindowSamples } from './audio/vad/silero.ts';
export { type AssistantRequestAnswer, assistantAnswerSchema } from './calls/assistant-answer.ts';
export type { CallControl, Room } from './calls/call-control.ts';
export type { OnCallEnded, Pricing } from './calls/call-end.ts';
export type { MayDial, PlannedDial } from './calls/destination-guard.ts';
export type { OrganizationLimits } from './calls/organization-shares.ts';
export type { OutboundRequest } from './calls/placing.ts';
export { fillTemplate } from './calls/template.ts';
export type { MayCall, PlannedCall } from './campaigns/may-call.ts';
export { systemClock } from './clock/system-clock.ts';
export { timestamp } from './clock/timestamp.ts';
export type { ClusterOptions } from './cluster/cluster-options.ts';
export type { Ending } from './conversation/config.ts';
export { estimateTokens } from './conversation/context/tokens.ts';
export type { ConversationNotice } from './conversation/effects.ts';
export type { ToolOutcome } from './conversation/tool-ledger.ts';
export {
  type Agent,
  type AgentChanges,
  type AgentRecord,
  type AnalysisPlan,
  agentSchema,
  analysisPlanSchema,
  createAgentSchema,
  type LlmConfig,
  llmConfigSchema,
  type NewAgent,
  type SttConfig,
  sttConfigSchema,
  type TtsConfig,
  ttsConfigSchema,
  updateAgentSchema,
  webhookEventNames,
} from './domain/agent.ts';
export {
  type AnalysisTemplate,
  type AnalysisTemplateChanges,
  type AnalysisTemplateRecord,
  analysisTemplateSchema,
  createAnalysisTemplateSchema,
  type NewAnalysisTemplate,
  updateAnalysisTemplateSchema,
} from './domain/analysis-template.ts';
export {
  type ApiKey,
  type ApiKeyRecord,
  type NewApiKey,
  newApiKeySchema,
  shownApiKeySchema,
} from './domain/api-key.ts';
export {
  type ByokKeyRecord,
  type ByokKeys,
  type ByokProvider,
  byokKeysSchema,
  byokProviderSchema,
  type DeletedByokKey,
  deleteByokKeySchema,
  type NewByokKey,
  setByokKeySchema,
} from './domain/byok.ts';
export {
  type AnalysisStatus,
  analysisStatuses,
  type Call,
  type CallDirection,
  type CallLatency,
  type CallMedia,
  type CallRecord,
  type CallStatus,
  callDirections,
  callSchema,
  callStatuses,
  callTransitions,
  type EndReason,
  endReasons,
  type TranscriptMessage,
  type TurnLatency,
} from './domain/call.ts';
export {
  type CallCommandRecord,
  type CommandOutcome,
  type ControlAnswer,
  type ControlCommand,
  controlAnswerSchema,
  controlCommandSchema,
  type NewControlCommand,
} from './domain/call-control.ts';
export { type CallEvent, callEventSchema, callEventTypes } from './domain/call-event.ts';
export {
  type Campaign,
  type CampaignChanges,
  type CampaignProgress,
  type CampaignRecord,
  type CampaignStatus,
  campaignProgressSchema,
  campaignSchema,
  campaignStatuses,
  campaignTransitions,
  createCampaignSchema,
  type NewCampaign,
  toCampaign,
  updateCampaignSchema,
} from './domain/campaign.ts';
export { type ContextSettings, contextSettingsSchema, defaultContextSettings } from './domain/context-settings.ts';
export {
  type DoNotCallEntry,
  doNotCallSchema,
  type NewDoNotCallEntry,
  newDoNotCallSchema,
} from './domain/do-not-call.ts';
export type { IdempotencyRecord } from './domain/idempotency-record.ts';
export { knownProviders } from './domain/known-providers.ts';
export {
  type BulkLeads,
  type BulkResult,
  bulkLeadsSchema,
  bulkResultSchema,
  duplicatePolicies,
  type Lead,
  type LeadRecord,
  type LeadStatus,
  leadSchema,
  leadStatuses,
  type NewLead,
  newLeadSchema,
} from './domain/lead.ts';
export {
  type AvailableMailDomains,
  addMailDomainSchema,
  availableMailDomainsSchema,
  type DnsRecord,
  type MailDomain,
  type MailDomainRecord,
  type MailDomainStatus,
  mailDomainSchema,
  mailDomainStatuses,
  type NewMailDomain,
  type SelectedMailDomain,
  selectMailDomainSchema,
} from './domain/mail-domain.ts';
export {
  type Organization,
  type OrganizationRecord,
  organizationRecordSchema,
  organizationSchema,
} from './domain/organization.ts';
export {
  type NewOutboundCall,
  type OutboundAnswer,
  outboundAnswerSchema,
  outboundCallSchema,
} from './domain/outbound-call.ts';
export { type Pagination, paginationSchema } from './domain/pagination.ts';
export {
  e164Schema,
  type NewPhoneNumber,
  type PhoneNumber,
  type PhoneNumberChanges,
  type PhoneNumberRecord,
  phoneNumberSchema,
  registerNumberSchema,
  toE164,
  updateNumberSchema,
} from './domain/phone-number.ts';
export type { SealedSecret } from './domain/sealed-secret.ts';
export {
  createSipTrunkSchema,
  type NewSipTrunk,
  type SipTrunk,
  type SipTrunkChanges,
  type SipTrunkRecord,
  sipTransports,
  sipTrunkSchema,
  updateSipTrunkSchema,
} from './domain/sip-trunk.ts';
export {
  type AmbientSettings,
  defaultSpeechConfig,
  type Pronunciation,
  type SpeechConfig,
  speechConfigSchema,
  type VadSettings,
} from './domain/speech-config.ts';
export { type EndCallTool, type FunctionTool, type Tool, type TransferCallTool, toolSchema } from './domain/tool.ts';
export {
  createToolTemplateSchema,
  type NewToolTemplate,
  type ToolTemplate,
  type ToolTemplateChanges,
  type ToolTemplateRecord,
  toolTemplateSchema,
  toolTypes,
  updateToolTemplateSchema,
} from './domain/tool-template.ts';
export { type UsageLog, type UsageSummary, usageLogSchema, usageSummarySchema } from './domain/usage-log.ts';
export {
  type RealtimeVoice,
  realtimeVoiceSchema,
  type Voice,
  type Voices,
  voiceSchema,
  voicesSchema,
  xaiRealtimeVoices,
} from './domain/voice.ts';
export {
  type DeliveryAttempt,
  deliveryStatuses,
  type WebhookDelivery,
  webhookDeliverySchema,
} from './domain/webhook-delivery.ts';
export type { WebhookEndpoint } from './domain/webhook-endpoint.ts';
export {
  type AssistantRequestMessage,
  assistantRequestMessageSchema,
  type CampaignUpdateMessage,
  campaignUpdateMessageSchema,
  type EndOfCallReportMessage,
  endOfCallReportMessageSchema,
  type StatusUpdateMessage,
  statusUpdateMessageSchema,
  type TestMessage,
  type ToolCallsAnswer,
  type ToolCallsMessage,
  testMessageSchema,
  toolCallsAnswerSchema,
  toolCallsMessageSchema,
  type WebhookEventMessage,
  webhookMessageSchema,
} from './domain/webhook-message.ts';
export {
  type FieldFault,
  ProviderError,
  type ProviderFault,
  ReferenceViolation,
  RequestError,
  toError,
  UniqueViolation,
  VaError,
} from './errors.ts';
export type { ServiceEvents } from './events.ts';
export { isUuid, type RandomBytes, systemRandom, uuidv7, uuidv7Sequence } from './ids.ts';
export { InProcessJobs } from './jobs/in-process-jobs.ts';
export type { ServiceLoad } from './load.ts';
export { type SystemDnsOptions, systemDns } from './mail/system-dns.ts';
export type { MediaControl, MediaEvent, MediaSettings, MediaThread } from './media/media-plane.ts';
export { Ticker } from './media/ticker.ts';
export {
  type AddressKind,
  type AddressPolicy,
  type AddressPolicyOptions,
  classifyAddress,
  createAddressPolicy,
  isPublicAddress,
} from './network/address-policy.ts';
export { createHostLookup, type HostLookupOptions } from './network/host-lookup.ts';
export {
  type AskAddresses,
  HostResolver,
  type HostResolverOptions,
  type LookupRequest,
  type ResolvedAddress,
} from './network/host-resolver.ts';
export { HostsFile } from './network/hosts-file.ts';
export { addToolSchema, type NewAgentTool } from './operations/agent-tools.ts';
export { type AgentOperations, createAgentOperations } from './operations/agents.ts';
export {
  type AnalysisTemplateOperations,
  createAnalysisTemplateOperations,
} from './operations/analysis-templates.ts';
export { type ApiKeyOperations, createApiKeyOperations } from './operations/api-keys.ts';
export { type ByokDependencies, type ByokOperations, createByokOperations } from './operations/byok.ts';
export type { CallQuery } from './operations/call-query.ts';
export { type CallOperations, createCallOperations } from './operations/calls.ts';
export { type CampaignOperations, createCampaignOperations } from './operations/campaigns.ts';
export { createDoNotCallOperations, type DoNotCallOperations, type DoNotCallQuery } from './operations/do-not-call.ts';
export type { Credentials, HandlerHost, Health, HealthCheck, Readiness } from './operations/host.ts';
export {
  createIdempotencyStore,
  type IdempotencyState,
  type IdempotencyStore,
  type StoredAnswer,
} from './operations/idempotency.ts';
export {
  createLeadOperations,
  type LeadOperations,
} from './operations/leads.ts';
export type { MayUseDomain } from './operations/mail-domains.ts';
export {
  createMailDomainOperations,
  type MailDomainDependencies,
  type MailDomainOperations,
} from './operations/mail-domains.ts';
export type { MayUseNumber } from './operations/numbers.ts';
export { createPhoneNumberOperations, type PhoneNumberOperations } from './operations/numbers.ts';
export { createOperations, type Operations, type OperationsDependencies } from './operations/operations.ts';
export {
  createOrganizationOperations,
  type NewOrganization,
  type OrganizationChanges,
  type OrganizationOperations,
} from './operations/organizations.ts';
export type { PageQuery } from './operations/page-query.ts';
export { type HostPrincipal, type Principal, requireScope } from './operations/principal.ts';
export { createSipTrunkOperations, type SipTrunkOperations } from './operations/sip-trunks.ts';
export { createToolTemplateOperations, type ToolTemplateOperations } from './operations/tool-templates.ts';
export { createUsageOperations, type UsageOperations, type UsageQuery } from './operations/usage.ts';
export { createVoiceOperations, type VoiceDependencies, type VoiceOperations } from './operations/voices.ts';
export {
  createWebhookDeliveryOperations,
  type WebhookDeliveryOperations,
  type WebhookTest,
  webhookTestSchema,
} from './operations/webhook-deliveries.ts';
export type { AudioEncoding, AudioFormat } from './ports/audio-format.ts';
export type { Clock, Timer } from './ports/clock.ts';
export type { Cluster, ClusterListener, NodeRecord, NodeState } from './ports/cluster.ts';
export type { DnsAnswer, DnsResolver, MailExchange } from './ports/dns.ts';
export { type Job, type JobMatch, type JobQueue, jobLeaseMs, jobQueues, type NewJob } from './ports/jobs.ts';
export type {
  ChatMessage,
  LanguageModel,
  LlmEvent,
  LlmRequest,
  LlmTool,
  ToolCallRequest,
} from './ports/language-model.ts';
export type { Logger } from './ports/logger.ts';
export type { ListedMailDomain, MailProvider, ProvidedMailDomain } from './ports/mail-provider.ts';
export type { MailAddress, MailSender, OutgoingMail } from './ports/mail-sender.ts';
export type { MediaStatistics } from './ports/media-statistics.ts';
export type { Provider } from './ports/provider.ts';
export { type ProviderTraits, vendorOf } from './ports/provider-traits.ts';
export type {
  RealtimeEvent,
  RealtimeModel,
  RealtimeSession,
  RealtimeSessionOptions,
} from './ports/realtime-model.ts';
export type { RecordingSink, RecordingStore, StoredRecording } from './ports/recordings.ts';
export type { SpeechToText, SttEvent, SttStream, SttStreamOptions } from './ports/speech-to-text.ts';
export { type CollectionName, collectionNames, collections, type RecordTypes } from './ports/storage/collections.ts';
export {
  type CollectionDefinition,
  defineCollection,
  type FieldKind,
  type Reference,
  type UniqueConstraint,
} from './ports/storage/definition.ts';
export { JsonText } from './ports/storage/json-text.ts';
export { recordsOf } from './ports/storage/records-of.ts';
export {
  type CollectionSchema,
  collectionSchemas,
  type FieldSchema,
  type ReferenceSchema,
  type ReferrerSchema,
  type UniqueSchema,
} from './ports/storage/schema.ts';
export { storable } from './ports/storage/storable.ts';
export {
  type PendingMigration,
  type Records,
  type SqlClient,
  type Storage,
  type StorageCapabilities,
  StorageCapabilityError,
  type StorageMigrations,
} from './ports/storage/storage.ts';
export { OpenTransaction, TransactionScope } from './ports/storage/transaction-scope.ts';
export type {
  Amounts,
  Changes,
  Collection,
  CollectionAcross,
  Condition,
  Cursor,
  Filter,
  ListQuery,
  Order,
  Owned,
  StoredRecord,
  Where,
} from './ports/storage/verbs.ts';
export type {
  DialedNumber,
  DialFailure,
  DialRequest,
  DtmfDigit,
  InboundTrunk,
  IncomingCall,
  LegEnd,
  MediaLeg,
  OutgoingCall,
  Party,
  RejectCause,
  Telephony,
  TelephonyHost,
  TransferMode,
  TransferOutcome,
  TransferRequest,
  TrunkAccess,
} from './ports/telephony.ts';
export type {
  TextToSpeech,
  TtsEvent,
  TtsSession,
  TtsSessionOptions,
  TtsUtterance,
  WordTiming,
} from './ports/text-to-speech.ts';
export { type Secret, type SecretAddress, type Vault, VaultError, type VaultErrorCode } from './ports/vault.ts';
export type { VoiceActivityDetector, VoiceActivityStream } from './ports/voice-activity.ts';
export type {
  StoredWebhook,
  StoreWithJobs,
  WebhookAttempt,
  WebhookDispatcher,
  WebhookEvent,
  WebhookHost,
  WebhookMessage,
  WebhookOutcome,
  WebhookRequestOptions,
  WebhookResults,
  WebhookTarget,
} from './ports/webhooks.ts';
export { type OptionIssue, optionIssues } from './providers/provider-options.ts';
export { folderRecordings } from './recordings/folder-recordings.ts';
export { type OpenLinked, RecordingLinks, type RecordingLinksOptions } from './recordings/recording-links.ts';
export { SchemaChecker } from './schema/schema-checker.ts';
export { createVoiceAgents, type VoiceAgents } from './service.ts';
export type { VoiceAgentsOptions } from './service-options.ts';
export { AesVault, type AesVaultOptions, aesVault, type Rotation } from './vault/aes-vault.ts';
