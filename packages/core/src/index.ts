export type { Pronunciation } from '@va/language';
export type { VadSettings } from '@va/media';
export type { MayDial, PlannedDial } from './calls/limits/destination-guard.ts';
export type { OrganizationLimits } from './calls/limits/organization-shares.ts';
export type { OnCallEnded } from './calls/record/call-end.ts';
export { type AssistantRequestAnswer, assistantAnswerSchema } from './calls/webhooks/assistant-answer.ts';
export type { MayCall, PlannedCall } from './campaigns/dialing/may-call.ts';
export type { ClusterOptions } from './cluster/cluster-options.ts';
export type { ConversationNotice } from './conversation/state/effects.ts';
export type { Ending } from './conversation/state/phase.ts';
export type { Floor, FloorHolder } from './conversation/turn-policy/floor.ts';
export type {
  InterruptionStrategy,
  MuteStrategy,
  TurnEndStrategy,
  TurnPolicy,
  TurnSign,
  TurnStartStrategy,
} from './conversation/turn-policy/turn-policy.ts';
export type { AgentSituation, TurnSituation, UserSituation } from './conversation/turn-policy/turn-situation.ts';
export { defaultTurnPolicy } from './conversation/turns/default-turn-policy.ts';
export type { Pricing } from './costs/pricing.ts';
export { type ApiKey, type NewApiKey, newApiKeySchema, shownApiKeySchema } from './domain/accounts/api-key.ts';
export {
  type ByokKeys,
  type ByokProvider,
  byokKeysSchema,
  byokProviderSchema,
  type DeletedByokKey,
  deleteByokKeySchema,
  type NewByokKey,
  setByokKeySchema,
} from './domain/accounts/byok.ts';
export {
  type AvailableMailDomains,
  addMailDomainSchema,
  availableMailDomainsSchema,
  type DnsRecord,
  type MailDomain,
  type MailDomainStatus,
  mailDomainSchema,
  mailDomainStatuses,
  type NewMailDomain,
  type SelectedMailDomain,
  selectMailDomainSchema,
} from './domain/accounts/mail-domain.ts';
export { type Organization, organizationSchema } from './domain/accounts/organization.ts';
export {
  type NewPublishableKey,
  newPublishableKeySchema,
  type PublishableKey,
  type PublishableKeyChanges,
  publishableKeyChangesSchema,
  publishableKeySchema,
} from './domain/accounts/publishable-key.ts';
export {
  type Agent,
  type AgentChanges,
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
} from './domain/agents/agent.ts';
export {
  type AnalysisTemplate,
  type AnalysisTemplateChanges,
  analysisTemplateSchema,
  createAnalysisTemplateSchema,
  type NewAnalysisTemplate,
  updateAnalysisTemplateSchema,
} from './domain/agents/analysis-template.ts';
export { type ContextSettings, contextSettingsSchema } from './domain/agents/context-settings.ts';
export {
  type AmbientSettings,
  type SpeechConfig,
  speechConfigSchema,
} from './domain/agents/speech/speech-config.ts';
export {
  type RealtimeVoice,
  realtimeVoiceSchema,
  type Voice,
  type Voices,
  voiceSchema,
  voicesSchema,
  xaiRealtimeVoices,
} from './domain/agents/speech/voice.ts';
export { type NewVoiceSample, voiceSampleSchema } from './domain/agents/speech/voice-sample.ts';
export {
  type EndCallTool,
  type FunctionTool,
  type HostToolReference,
  type McpTool,
  type PressKeysTool,
  type Tool,
  type TransferCallTool,
  toolSchema,
} from './domain/agents/tools/tool.ts';
export {
  createToolTemplateSchema,
  type NewToolTemplate,
  type ToolTemplate,
  type ToolTemplateChanges,
  toolTemplateSchema,
  toolTypes,
  updateToolTemplateSchema,
} from './domain/agents/tools/tool-template.ts';
export {
  type NewToolTrial,
  type ToolTrialAnswer,
  toolTrialAnswerSchema,
  toolTrialSchema,
} from './domain/agents/tools/tool-trial.ts';
export {
  type AnalysisStatus,
  analysisStatuses,
  type Call,
  type CallDirection,
  type CallLatency,
  type CallMedia,
  type CallStatus,
  callDirections,
  callSchema,
  callStatuses,
  callTransitions,
  type EndReason,
  endReasons,
  type TranscriptMessage,
  type TurnLatency,
} from './domain/calls/call.ts';
export {
  type CommandOutcome,
  type ControlAnswer,
  type ControlCommand,
  controlAnswerSchema,
  controlCommandSchema,
  type NewControlCommand,
} from './domain/calls/call-control.ts';
export {
  type CallEvent,
  type CallEventContent,
  type CallEventData,
  type CallEventMessage,
  type CallEventType,
  callEventMessageSchema,
  callEventSchema,
  callEventTypes,
} from './domain/calls/call-event.ts';
export {
  type CallStatistics,
  callStatisticsSchema,
  type StatisticsGroup,
  statisticsGroups,
} from './domain/calls/call-statistics.ts';
export {
  type LiveEvent,
  type LiveState,
  type LiveWait,
  liveEventSchema,
  liveWaits,
} from './domain/calls/live-event.ts';
export {
  type NewOutboundCall,
  type OutboundAnswer,
  outboundAnswerSchema,
  outboundCallSchema,
} from './domain/calls/outbound-call.ts';
export {
  maxPeakPoints,
  minPeakPoints,
  type RecordingPeaks,
  recordingPeaksSchema,
} from './domain/calls/recording-peaks.ts';
export {
  type SupervisionAnswer,
  type SupervisionMode,
  supervisionAnswerSchema,
} from './domain/calls/supervision.ts';
export { type UsageLog, type UsageSummary, usageLogSchema, usageSummarySchema } from './domain/calls/usage-log.ts';
export { type NewWebCall, type WebCallAnswer, webCallAnswerSchema, webCallSchema } from './domain/calls/web-call.ts';
export {
  type Campaign,
  type CampaignChanges,
  type CampaignProgress,
  type CampaignStatus,
  campaignProgressSchema,
  campaignSchema,
  campaignStatuses,
  campaignTransitions,
  createCampaignSchema,
  type NewCampaign,
  updateCampaignSchema,
} from './domain/campaigns/campaign.ts';
export {
  type DoNotCallEntry,
  doNotCallSchema,
  type NewDoNotCallEntry,
  newDoNotCallSchema,
} from './domain/campaigns/do-not-call.ts';
export {
  type BulkLeads,
  type BulkResult,
  bulkLeadsSchema,
  bulkResultSchema,
  duplicatePolicies,
  type Lead,
  type LeadStatus,
  leadSchema,
  leadStatuses,
  type NewLead,
  newLeadSchema,
} from './domain/campaigns/lead.ts';
export {
  type BudgetLevel,
  type BudgetScope,
  type BudgetStatus,
  budgetLevels,
  budgetScopes,
} from './domain/costs/budget-level.ts';
export { type CostItem, costItemSchema } from './domain/costs/cost-item.ts';
export { type Price, type PriceUnit, priceSchema } from './domain/costs/price.ts';
export { type UsageKind, type UsageUnit, usageKinds, usageUnits } from './domain/costs/usage-kind.ts';
export {
  type Deployment,
  type DeploymentNode,
  deploymentSchema,
  nodeStates,
  type QueueState,
} from './domain/deployment/deployment.ts';
export type { ProviderHealth, RegistrationHealth } from './domain/deployment/node-details.ts';
export {
  type CarrierAccount,
  type CarrierCredentials,
  type CarrierType,
  carrierTypes,
} from './domain/numbers/carrier-account.ts';
export {
  e164Schema,
  type NewPhoneNumber,
  type PhoneNumber,
  type PhoneNumberChanges,
  phoneNumberSchema,
  registerNumberSchema,
  toE164,
  updateNumberSchema,
} from './domain/numbers/phone-number.ts';
export {
  createCarrierTrunkSchema,
  createSipTrunkSchema,
  createTrunkSchema,
  type NewSipTrunk,
  type SipTrunk,
  type SipTrunkChanges,
  sipTransports,
  sipTrunkSchema,
  type TrunkType,
  trunkTypes,
  updateCarrierTrunkSchemas,
  updateSipTrunkSchema,
  updateTrunkSchema,
} from './domain/numbers/sip-trunk.ts';
export { type TrunkHealth, trunkHealthSchema } from './domain/numbers/trunk-health.ts';
export { type Pagination, paginationSchema } from './domain/records/pagination.ts';
export {
  type DeliveryAttempt,
  deliveryStatuses,
  type WebhookDelivery,
  webhookDeliverySchema,
} from './domain/webhooks/webhook-delivery.ts';
export type { WebhookEndpoint } from './domain/webhooks/webhook-endpoint.ts';
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
} from './domain/webhooks/webhook-message.ts';
export { type FieldFault, ProviderError, type ProviderFault, RequestError, VaError } from './errors.ts';
export type { ServiceEvents } from './events.ts';
export type { PageQuery } from './input/page-query.ts';
export { AesVault, type AesVaultOptions, aesVault, type Rotation } from './node/aes-vault.ts';
export { folderRecordings } from './node/folder-recordings.ts';
export { type SystemDnsOptions, systemDns } from './node/system-dns.ts';
export type { ApiKeyOperations } from './operations/accounts/api-keys.ts';
export type { ByokOperations } from './operations/accounts/byok.ts';
export type { MailDomainOperations, MayUseDomain } from './operations/accounts/mail-domains.ts';
export {
  defaultOrganizationId,
  type NewOrganization,
  type OrganizationChanges,
  type OrganizationOperations,
} from './operations/accounts/organizations.ts';
export type { HostPrincipal, Principal } from './operations/accounts/principal.ts';
export type { PublishableKeyOperations } from './operations/accounts/publishable-keys.ts';
export { addToolSchema, type NewAgentTool } from './operations/agents/agent-tools.ts';
export type { AgentOperations } from './operations/agents/agents.ts';
export type { AnalysisTemplateOperations } from './operations/agents/analysis-templates.ts';
export type { ToolTemplateOperations } from './operations/agents/tool-templates.ts';
export type { VoiceOperations } from './operations/agents/voices.ts';
export type { CallQuery } from './operations/calls/call-query.ts';
export type { CallOperations, LiveQuery } from './operations/calls/calls.ts';
export type { CallingPage } from './operations/calls/page-web-calls.ts';
export type { StatisticsOperations, StatisticsQuery } from './operations/calls/statistics.ts';
export type { UsageOperations, UsageQuery } from './operations/calls/usage.ts';
export type { CampaignOperations } from './operations/campaigns/campaigns.ts';
export type { DoNotCallOperations, DoNotCallQuery } from './operations/campaigns/do-not-call.ts';
export type { LeadOperations } from './operations/campaigns/leads.ts';
export type { MayUseNumber, PhoneNumberOperations } from './operations/lines/numbers.ts';
export type { SipTrunkOperations } from './operations/lines/sip-trunks.ts';
export type { Operations } from './operations/operations.ts';
export {
  type WebhookDeliveryOperations,
  type WebhookTest,
  webhookTestSchema,
} from './operations/webhooks/webhook-deliveries.ts';
export type { TurnModel, TurnModelInput } from './ports/turn-model.ts';
export { VaultError, type VaultErrorCode } from './ports/vault.ts';
export type { RecordingLinksOptions } from './recordings/recording-links.ts';
export { createVoiceAgents, type VoiceAgents } from './service/create-voice-agents.ts';
export type { ServiceLoad } from './service/load.ts';
export type { MailOptions, ServiceLimits, TurnModelOptions, VoiceAgentsOptions } from './service/service-options.ts';
export { defineTool, type HostTool, type ToolContext, type ToolDefinition, ToolError } from './tools/define-tool.ts';
