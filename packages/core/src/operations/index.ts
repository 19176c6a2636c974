export type { PageQuery } from '../input/page-query.ts';
export { type ApiKeyOperations, createApiKeyOperations } from './accounts/api-keys.ts';
export { type ByokDependencies, type ByokOperations, createByokOperations } from './accounts/byok.ts';
export type { MayUseDomain } from './accounts/mail-domains.ts';
export {
  createMailDomainOperations,
  type MailDomainDependencies,
  type MailDomainOperations,
} from './accounts/mail-domains.ts';
export {
  createOrganizationOperations,
  type NewOrganization,
  type OrganizationChanges,
  type OrganizationOperations,
} from './accounts/organizations.ts';
export { type HostPrincipal, type Principal, requireScope } from './accounts/principal.ts';
export { addToolSchema, type NewAgentTool } from './agents/agent-tools.ts';
export { type AgentOperations, createAgentOperations } from './agents/agents.ts';
export { type AnalysisTemplateOperations, createAnalysisTemplateOperations } from './agents/analysis-templates.ts';
export { createToolTemplateOperations, type ToolTemplateOperations } from './agents/tool-templates.ts';
export { createVoiceOperations, type VoiceDependencies, type VoiceOperations } from './agents/voices.ts';
export type { CallQuery } from './calls/call-query.ts';
export { type CallOperations, createCallOperations } from './calls/calls.ts';
export { createUsageOperations, type UsageOperations, type UsageQuery } from './calls/usage.ts';
export { type CampaignOperations, createCampaignOperations } from './campaigns/campaigns.ts';
export { createDoNotCallOperations, type DoNotCallOperations, type DoNotCallQuery } from './campaigns/do-not-call.ts';
export { createLeadOperations, type LeadOperations } from './campaigns/leads.ts';
export type { Credentials, HandlerHost, Health, HealthCheck, Readiness } from './host.ts';
export {
  createIdempotencyStore,
  type IdempotencyState,
  type IdempotencyStore,
  type StoredAnswer,
} from './idempotency.ts';
export type { MayUseNumber } from './lines/numbers.ts';
export { createPhoneNumberOperations, type PhoneNumberOperations } from './lines/numbers.ts';
export { createSipTrunkOperations, type SipTrunkOperations } from './lines/sip-trunks.ts';
export { createOperations, type Operations, type OperationsDependencies } from './operations.ts';
export {
  createWebhookDeliveryOperations,
  type WebhookDeliveryOperations,
  type WebhookTest,
  webhookTestSchema,
} from './webhooks/webhook-deliveries.ts';
