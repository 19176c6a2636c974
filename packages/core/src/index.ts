export { EventQueue } from './async/event-queue.ts';
export type { CallControl, CallSlot } from './calls/call-control.ts';
export type { MayDial, PlannedDial } from './calls/limits/destination-guard.ts';
export type { OrganizationLimits } from './calls/limits/organization-shares.ts';
export type { OutboundRequest } from './calls/origin/placing.ts';
export type { OnCallEnded, Pricing } from './calls/record/call-end.ts';
export { fillTemplate } from './calls/template.ts';
export { type AssistantRequestAnswer, assistantAnswerSchema } from './calls/webhooks/assistant-answer.ts';
export type { MayCall, PlannedCall } from './campaigns/dialing/may-call.ts';
export { systemClock } from './clock/system-clock.ts';
export { timestamp } from './clock/timestamp.ts';
export type { ClusterOptions } from './cluster/cluster-options.ts';
export { estimateTokens } from './conversation/context/tokens.ts';
export type { ConversationNotice } from './conversation/state/effects.ts';
export type { Ending } from './conversation/state/phase.ts';
export type { ToolOutcome } from './conversation/state/tool-ledger.ts';
export * from './domain/index.ts';
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
export { type SystemDnsOptions, systemDns } from './mail/system-dns.ts';
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
export * from './operations/index.ts';
export * from './ports/index.ts';
export { type OptionIssue, optionIssues } from './providers/provider-options.ts';
export { folderRecordings } from './recordings/folder-recordings.ts';
export { type OpenLinked, RecordingLinks, type RecordingLinksOptions } from './recordings/recording-links.ts';
export { SchemaChecker } from './schema/schema-checker.ts';
export { createVoiceAgents, type VoiceAgents } from './service/create-voice-agents.ts';
export type { ServiceLoad } from './service/load.ts';
export type { MailOptions, ServiceLimits, VoiceAgentsOptions } from './service/service-options.ts';
export { recordsOf } from './storage/records-of.ts';
export { OpenTransaction, TransactionScope } from './storage/transaction-scope.ts';
export { AesVault, type AesVaultOptions, aesVault, type Rotation } from './vault/aes-vault.ts';
export { type PreparedWebhooks, WebhookOutbox } from './webhooks/outbox.ts';
export { readWebhookJob, sealWebhook, webhookJob, webhookQueue } from './webhooks/outgoing-webhook.ts';
