export {
  type ApiKey,
  type ApiKeyRecord,
  type NewApiKey,
  newApiKeySchema,
  shownApiKeySchema,
} from './accounts/api-key.ts';
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
} from './accounts/byok.ts';
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
} from './accounts/mail-domain.ts';
export {
  type Organization,
  type OrganizationRecord,
  organizationRecordSchema,
  organizationSchema,
} from './accounts/organization.ts';
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
} from './agents/agent.ts';
export {
  type AnalysisTemplate,
  type AnalysisTemplateChanges,
  type AnalysisTemplateRecord,
  analysisTemplateSchema,
  createAnalysisTemplateSchema,
  type NewAnalysisTemplate,
  updateAnalysisTemplateSchema,
} from './agents/analysis-template.ts';
export { type ContextSettings, contextSettingsSchema, defaultContextSettings } from './agents/context-settings.ts';
export { knownProviders } from './agents/known-providers.ts';
export {
  type AmbientSettings,
  defaultSpeechConfig,
  type Pronunciation,
  type SpeechConfig,
  speechConfigSchema,
  type VadSettings,
} from './agents/speech-config.ts';
export { type EndCallTool, type FunctionTool, type Tool, type TransferCallTool, toolSchema } from './agents/tool.ts';
export {
  createToolTemplateSchema,
  type NewToolTemplate,
  type ToolTemplate,
  type ToolTemplateChanges,
  type ToolTemplateRecord,
  toolTemplateSchema,
  toolTypes,
  updateToolTemplateSchema,
} from './agents/tool-template.ts';
export {
  type RealtimeVoice,
  realtimeVoiceSchema,
  type Voice,
  type Voices,
  voiceSchema,
  voicesSchema,
  xaiRealtimeVoices,
} from './agents/voice.ts';
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
} from './calls/call.ts';
export {
  type CallCommandRecord,
  type CommandOutcome,
  type ControlAnswer,
  type ControlCommand,
  controlAnswerSchema,
  controlCommandSchema,
  type NewControlCommand,
} from './calls/call-control.ts';
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
} from './calls/call-event.ts';
export {
  type NewOutboundCall,
  type OutboundAnswer,
  outboundAnswerSchema,
  outboundCallSchema,
} from './calls/outbound-call.ts';
export { type UsageLog, type UsageSummary, usageLogSchema, usageSummarySchema } from './calls/usage-log.ts';
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
} from './campaigns/campaign.ts';
export {
  type DoNotCallEntry,
  doNotCallSchema,
  type NewDoNotCallEntry,
  newDoNotCallSchema,
} from './campaigns/do-not-call.ts';
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
} from './campaigns/lead.ts';
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
} from './numbers/phone-number.ts';
export {
  createSipTrunkSchema,
  type NewSipTrunk,
  type SipTrunk,
  type SipTrunkChanges,
  type SipTrunkRecord,
  sipTransports,
  sipTrunkSchema,
  updateSipTrunkSchema,
} from './numbers/sip-trunk.ts';
export type { IdempotencyRecord } from './records/idempotency-record.ts';
export { type Pagination, paginationSchema } from './records/pagination.ts';
export type { SealedSecret } from './records/sealed-secret.ts';
export {
  type DeliveryAttempt,
  deliveryStatuses,
  type WebhookDelivery,
  webhookDeliverySchema,
} from './webhooks/webhook-delivery.ts';
export type { WebhookEndpoint } from './webhooks/webhook-endpoint.ts';
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
} from './webhooks/webhook-message.ts';
