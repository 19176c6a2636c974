export { EventQueue } from './async/event-queue.ts';
export { pause } from './async/pause.ts';
export { within } from './async/within.ts';
export type { CallControl, CallSlot } from './calls/call-control.ts';
export type { OutboundRequest } from './calls/origin/placing.ts';
export { fillTemplate } from './calls/template.ts';
export { systemClock } from './clock/system-clock.ts';
export { timestamp } from './clock/timestamp.ts';
export { estimateTokens } from './costs/estimate-tokens.ts';
export type { ApiKeyRecord } from './domain/accounts/api-key.ts';
export type { ByokKeyRecord } from './domain/accounts/byok.ts';
export type { MailDomainRecord } from './domain/accounts/mail-domain.ts';
export { type OrganizationRecord, organizationRecordSchema } from './domain/accounts/organization.ts';
export type { PublishableKeyRecord } from './domain/accounts/publishable-key.ts';
export type { AgentRecord } from './domain/agents/agent.ts';
export type { AnalysisTemplateRecord } from './domain/agents/analysis-template.ts';
export { defaultContextSettings } from './domain/agents/context-settings.ts';
export { modelEndpointFields } from './domain/agents/model-endpoint.ts';
export { defaultSpeechConfig } from './domain/agents/speech/speech-config.ts';
export type { ToolTemplateRecord } from './domain/agents/tools/tool-template.ts';
export type { CallRecord } from './domain/calls/call.ts';
export type { CallCommandRecord } from './domain/calls/call-control.ts';
export { toCallEventMessage } from './domain/calls/call-event.ts';
export type { ToolOutcome } from './domain/calls/tool-outcome.ts';
export type { WebCallGrantRecord } from './domain/calls/web-call.ts';
export { type CampaignRecord, toCampaign } from './domain/campaigns/campaign.ts';
export type { LeadRecord } from './domain/campaigns/lead.ts';
export { type NodeDetails, nodeDetailsSchema, type RegistrationHealth } from './domain/deployment/node-details.ts';
export type { PhoneNumberRecord } from './domain/numbers/phone-number.ts';
export type { SipTrunkRecord } from './domain/numbers/sip-trunk.ts';
export { type NodeTrunkHealth, nodeTrunkHealthSchema, unknownTrunkHealth } from './domain/numbers/trunk-health.ts';
export type { IdempotencyRecord } from './domain/records/idempotency-record.ts';
export type { SealedSecret } from './domain/records/sealed-secret.ts';
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
export { isUuid, type RandomBytes, systemRandom, uuidv7, uuidv7Sequence } from './ids.ts';
export { InProcessJobs } from './jobs/in-process-jobs.ts';
export {
  type AddressKind,
  type AddressPolicy,
  type AddressPolicyOptions,
  classifyAddress,
  createAddressPolicy,
  isPublicAddress,
} from './network/address-policy.ts';
export { boundedResponse } from './network/bounded-response.ts';
export { createHostLookup, type HostLookupOptions } from './network/host-lookup.ts';
export {
  type AskAddresses,
  HostResolver,
  type HostResolverOptions,
  type LookupRequest,
  type ResolvedAddress,
} from './network/host-resolver.ts';
export { HostsFile } from './network/hosts-file.ts';
export { PendingConnections, type PendingConnectionsOptions } from './network/pending-connections.ts';
export { ignoreErrors, refuseUpgrade } from './network/refuse-upgrade.ts';
export { sourceKey } from './network/source-key.ts';
export {
  askWith,
  checkAddresses,
  checkLiteral,
  connectionLookup,
  type HostLookup,
  RefusedTarget,
  TargetGuard,
  type TargetGuardOptions,
} from './network/target-guard.ts';
export { createApiKeyOperations } from './operations/accounts/api-keys.ts';
export { type ByokDependencies, createByokOperations } from './operations/accounts/byok.ts';
export { createMailDomainOperations, type MailDomainDependencies } from './operations/accounts/mail-domains.ts';
export { createOrganizationOperations } from './operations/accounts/organizations.ts';
export { requireOperator, requireScope } from './operations/accounts/principal.ts';
export { createPublishableKeyOperations } from './operations/accounts/publishable-keys.ts';
export { createAgentOperations } from './operations/agents/agents.ts';
export { createAnalysisTemplateOperations } from './operations/agents/analysis-templates.ts';
export { createToolTemplateOperations } from './operations/agents/tool-templates.ts';
export type { VoiceDependencies } from './operations/agents/voice-samples.ts';
export { createVoiceOperations } from './operations/agents/voices.ts';
export { createCallOperations } from './operations/calls/calls.ts';
export { type CallingPage, requireOrigin } from './operations/calls/page-web-calls.ts';
export { createUsageOperations } from './operations/calls/usage.ts';
export { createCampaignOperations } from './operations/campaigns/campaigns.ts';
export { createDoNotCallOperations } from './operations/campaigns/do-not-call.ts';
export { createLeadOperations } from './operations/campaigns/leads.ts';
export type { Credentials, HandlerHost, Health, HealthCheck, Readiness } from './operations/host.ts';
export {
  createIdempotencyStore,
  type IdempotencyState,
  type IdempotencyStore,
  type StoredAnswer,
} from './operations/idempotency.ts';
export { createPhoneNumberOperations } from './operations/lines/numbers.ts';
export { createSipTrunkOperations } from './operations/lines/sip-trunks.ts';
export { createOperations, type OperationsDependencies } from './operations/operations.ts';
export { createWebhookDeliveryOperations } from './operations/webhooks/webhook-deliveries.ts';
export * from './ports/index.ts';
export { optionIssues } from './providers/provider-options.ts';
export { type OpenLinked, RecordingLinks } from './recordings/recording-links.ts';
export { SchemaChecker } from './schema/schema-checker.ts';
export { recordsOf } from './storage/records-of.ts';
export { OpenTransaction, TransactionScope } from './storage/transaction-scope.ts';
export { type PreparedWebhooks, WebhookOutbox } from './webhooks/outbox.ts';
export { readWebhookJob, sealWebhook, webhookJob, webhookQueue } from './webhooks/outgoing-webhook.ts';
