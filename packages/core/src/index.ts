export { EventQueue } from './async/event-queue.ts';
export { decodeG711, encodeG711, type G711Encoding, g711Silence } from './audio/g711.ts';
export { createResampler, type Resample } from './audio/resampler.ts';
export { loadSileroVad, type SileroModel, type VadStream, vadWindowSamples } from './audio/vad/silero.ts';
export { systemClock } from './clock/system-clock.ts';
export { timestamp } from './clock/timestamp.ts';
export type { Ending } from './conversation/config.ts';
export type { ConversationNotice } from './conversation/effects.ts';
export type { ToolOutcome } from './conversation/tool-ledger.ts';
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
} from './domain/agent.ts';
export { type ApiKey, apiKeySchema } from './domain/api-key.ts';
export {
  type Call,
  type CallDirection,
  type CallLatency,
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
export { type Organization, organizationSchema } from './domain/organization.ts';
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
export {
  defaultSpeechConfig,
  type SpeechConfig,
  speechConfigSchema,
  type VadSettings,
} from './domain/speech-config.ts';
export { type EndCallTool, type FunctionTool, type Tool, type TransferCallTool, toolSchema } from './domain/tool.ts';
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
export { isUuid, type RandomBytes, systemRandom, uuidv7 } from './ids.ts';
export { Ticker } from './media/ticker.ts';
export { type AgentOperations, createAgentOperations } from './operations/agents.ts';
export { type ApiKeyOperations, createApiKeyOperations, type IssuedApiKey } from './operations/api-keys.ts';
export { type CallOperations, createCallOperations } from './operations/calls.ts';
export type { HandlerHost, Health, HealthCheck } from './operations/host.ts';
export { createPhoneNumberOperations, type PhoneNumberOperations } from './operations/numbers.ts';
export { createOperations, type Operations, type OperationsDependencies } from './operations/operations.ts';
export { createOrganizationOperations, type OrganizationOperations } from './operations/organizations.ts';
export { type Principal, requireScope } from './operations/principal.ts';
export type { AudioEncoding, AudioFormat } from './ports/audio-format.ts';
export type { Clock, Timer } from './ports/clock.ts';
export type {
  ChatMessage,
  LanguageModel,
  LlmEvent,
  LlmRequest,
  LlmTool,
  ToolCallRequest,
} from './ports/language-model.ts';
export type { Logger } from './ports/logger.ts';
export type { Provider } from './ports/provider.ts';
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
export { recordsOf } from './ports/storage/records-of.ts';
export { storable } from './ports/storage/storable.ts';
export {
  type PendingMigration,
  type Records,
  type Storage,
  type StorageCapabilities,
  StorageCapabilityError,
  type StorageMigrations,
} from './ports/storage/storage.ts';
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
  DtmfDigit,
  IncomingCall,
  LegEnd,
  MediaLeg,
  Party,
  RejectCause,
  Telephony,
  TelephonyHost,
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
  WebhookAttempt,
  WebhookDispatcher,
  WebhookEvent,
  WebhookHost,
  WebhookMessage,
  WebhookOutcome,
  WebhookTarget,
} from './ports/webhooks.ts';
export { folderRecordings } from './recordings/folder-recordings.ts';
export { createVoiceAgents, type VoiceAgents, type VoiceAgentsOptions } from './service.ts';
export { AesVault, type AesVaultOptions, aesVault, type Rotation } from './vault/aes-vault.ts';
