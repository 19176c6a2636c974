export type {
  AgentChanges,
  AnalysisTemplateChanges,
  ByokKeys,
  CallDirection,
  CallEventData,
  CallEventType,
  CallStatus,
  CampaignChanges,
  CampaignStatus,
  DnsRecord,
  EndReason,
  LeadStatus,
  LiveEvent,
  NewAgent,
  NewAnalysisTemplate,
  NewApiKey,
  NewCampaign,
  NewControlCommand,
  NewLead,
  NewOutboundCall,
  NewPhoneNumber,
  NewPublishableKey,
  NewSipTrunk,
  NewToolTemplate,
  PhoneNumberChanges,
  PublishableKeyChanges,
  SipTrunkChanges,
  ToolTemplateChanges,
  Voice,
} from '@va/core';
export type { CallEvent } from './call-events.ts';
export type { CampaignWatchOptions } from './campaign-progress.ts';
export { createClient } from './client.ts';
export type { CallQuery, Client, LeadImportQuery } from './client-types.ts';
export type { Csv } from './csv.ts';
export type { LiveOptions } from './live-events.ts';
export type { PagingOptions } from './pages.ts';
export type { Recording, RecordingOptions } from './recording.ts';
export type {
  Agent,
  AnalysisTemplate,
  ApiKey,
  AvailableMailDomains,
  BulkResult,
  ByokProvider,
  Call,
  Campaign,
  CampaignProgress,
  ControlAnswer,
  Deployment,
  Lead,
  MailDomain,
  Organization,
  OutboundAnswer,
  Pagination,
  PhoneNumber,
  PublishableKey,
  RecordingPeaks,
  SipTrunk,
  ToolTemplate,
  ToolTrialAnswer,
  TrunkHealth,
  UsageLog,
  UsageSummary,
  Voices,
  WebhookDelivery,
  WebhookTest,
} from './records.ts';
export type { ErrorCode, KnownErrorCode } from './request/error-codes.ts';
export { ApiError, ConnectionError, type FieldError } from './request/errors.ts';
export type { WatchOptions } from './request/event-source.ts';
export type { RequestOptions } from './request/request-options.ts';
export type { RetryPolicy } from './request/retry-policy.ts';
export type { ClientOptions } from './request/transport.ts';
