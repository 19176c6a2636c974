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
} from './agent.ts';
export {
  type AnalysisTemplate,
  type AnalysisTemplateChanges,
  type AnalysisTemplateRecord,
  analysisTemplateSchema,
  createAnalysisTemplateSchema,
  type NewAnalysisTemplate,
  updateAnalysisTemplateSchema,
} from './analysis-template.ts';
export {
  type ApiKey,
  type ApiKeyRecord,
  type NewApiKey,
  newApiKeySchema,
  shownApiKeySchema,
} from './api-key.ts';
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
} from './byok.ts';
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
} from './call.ts';
export {
  type CallCommandRecord,
  type CommandOutcome,
  type ControlAnswer,
  type ControlCommand,
  controlAnswerSchema,
  controlCommandSchema,
  type NewControlCommand,
} from './call-control.ts';
export {
  type CallEvent,
  type CallEventContent,
  type CallEventData,
  type CallEventMessage,
  type CallEventType,
  callEventMessageSchema,
  callEventSchema,
  callEventTypes,
  toCallEventMessage,
} from './call-event.ts';
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
} from './campaign.ts';
export { type ContextSettings, contextSettingsSchema, defaultContextSettings } from './context-settings.ts';
export {
  type DoNotCallEntry,
  doNotCallSchema,
  type NewDoNotCallEntry,
  newDoNotCallSchema,
} from './do-not-call.ts';
export type { IdempotencyRecord } from './idempotency-record.ts';
export { knownProviders } from './known-providers.ts';
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
} from './lead.ts';
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
} from './mail-domain.ts';
export {
  type Organization,
  type OrganizationRecord,
  organizationRecordSchema,
  organizationSchema,
} from './organization.ts';
export {
  type NewOutboundCall,
  type OutboundAnswer,
  outboundAnswerSchema,
  outboundCallSchema,
} from './outbound-call.ts';
export { type Pagination, paginationSchema } from './pagination.ts';
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
} from './phone-number.ts';
export type { SealedSecret } from './sealed-secret.ts';
export {
  createSipTrunkSchema,
  type NewSipTrunk,
  type SipTrunk,
  type SipTrunkChanges,
  type SipTrunkRecord,
  sipTransports,
  sipTrunkSchema,
  updateSipTrunkSchema,
} from './sip-trunk.ts';
export {
  type AmbientSettings,
  defaultSpeechConfig,
  type Pronunciation,
  type SpeechConfig,
  speechConfigSchema,
  type VadSettings,
} from './speech-config.ts';
export { type EndCallTool, type FunctionTool, type Tool, type TransferCallTool, toolSchema } from './tool.ts';
export {
  createToolTemplateSchema,
  type NewToolTemplate,
  type ToolTemplate,
  type ToolTemplateChanges,
  type ToolTemplateRecord,
  toolTemplateSchema,
  toolTypes,
  updateToolTemplateSchema,
} from './tool-template.ts';
export { type UsageLog, type UsageSummary, usageLogSchema, usageSummarySchema } from './usage-log.ts';
export {
  type RealtimeVoice,
  realtimeVoiceSchema,
  type Voice,
  type Voices,
  voiceSchema,
  voicesSchema,
  xaiRealtimeVoices,
} from './voice.ts';
export {
  type DeliveryAttempt,
  deliveryStatuses,
  type WebhookDelivery,
  webhookDeliverySchema,
} from './webhook-delivery.ts';
export type { WebhookEndpoint } from './webhook-endpoint.ts';
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
} from './webhook-message.ts';
