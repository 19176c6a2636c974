export { addToolSchema, type NewAgentTool } from './agent-tools.ts';
export { type AgentOperations, createAgentOperations } from './agents.ts';
export {
  type AnalysisTemplateOperations,
  createAnalysisTemplateOperations,
} from './analysis-templates.ts';
export { type ApiKeyOperations, createApiKeyOperations } from './api-keys.ts';
export { type ByokDependencies, type ByokOperations, createByokOperations } from './byok.ts';
export type { CallQuery } from './call-query.ts';
export { type CallOperations, createCallOperations } from './calls.ts';
export { type CampaignOperations, createCampaignOperations } from './campaigns.ts';
export { createDoNotCallOperations, type DoNotCallOperations, type DoNotCallQuery } from './do-not-call.ts';
export type { Credentials, HandlerHost, Health, HealthCheck, Readiness } from './host.ts';
export {
  createIdempotencyStore,
  type IdempotencyState,
  type IdempotencyStore,
  type StoredAnswer,
} from './idempotency.ts';
export {
  createLeadOperations,
  type LeadOperations,
} from './leads.ts';
export type { MayUseDomain } from './mail-domains.ts';
export {
  createMailDomainOperations,
  type MailDomainDependencies,
  type MailDomainOperations,
} from './mail-domains.ts';
export type { MayUseNumber } from './numbers.ts';
export { createPhoneNumberOperations, type PhoneNumberOperations } from './numbers.ts';
export { createOperations, type Operations, type OperationsDependencies } from './operations.ts';
export {
  createOrganizationOperations,
  type NewOrganization,
  type OrganizationChanges,
  type OrganizationOperations,
} from './organizations.ts';
export type { PageQuery } from './page-query.ts';
export { type HostPrincipal, type Principal, requireScope } from './principal.ts';
export { createSipTrunkOperations, type SipTrunkOperations } from './sip-trunks.ts';
export { createToolTemplateOperations, type ToolTemplateOperations } from './tool-templates.ts';
export { createUsageOperations, type UsageOperations, type UsageQuery } from './usage.ts';
export { createVoiceOperations, type VoiceDependencies, type VoiceOperations } from './voices.ts';
export {
  createWebhookDeliveryOperations,
  type WebhookDeliveryOperations,
  type WebhookTest,
  webhookTestSchema,
} from './webhook-deliveries.ts';
