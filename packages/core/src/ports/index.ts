export type { DtmfDigit } from '@va/media';
export { collectionNames, collections } from '../records/collections.ts';
export {
  type CollectionDefinition,
  defineCollection,
  type FieldKind,
  type Reference,
  type UniqueConstraint,
} from '../records/definition.ts';
export { JsonText } from '../records/json-text.ts';
export type { CollectionName, RecordTypes } from '../records/record-types.ts';
export {
  type CollectionSchema,
  collectionSchemas,
  type FieldSchema,
  type ReferenceSchema,
  type ReferrerSchema,
  type UniqueSchema,
} from '../records/schema.ts';
export { storable } from '../records/storable.ts';
export type { Order, StoredRecord } from '../records/stored-record.ts';
export { type TableName, tableNames } from '../records/table-names.ts';
export { hasWords, wordsOf } from '../records/words.ts';
export type {
  CallDisplay,
  CallerInput,
  CallGrant,
  DisplayEvent,
  DisplayedToolCall,
  DisplayState,
} from './call-display.ts';
export type { Clock, Timer } from './clock.ts';
export type { Cluster, ClusterListener, NodeRecord, NodeState, PublishedTrunkHealth } from './cluster.ts';
export { type Job, type JobMatch, type JobQueue, jobLeaseMs, jobQueues, type NewJob } from './jobs.ts';
export type { Logger } from './logger.ts';
export type { DnsAnswer, DnsResolver, MailExchange } from './mail/dns.ts';
export type { ListedMailDomain, MailProvider, ProvidedMailDomain } from './mail/mail-provider.ts';
export type { MailAddress, MailSender, OutgoingMail } from './mail/mail-sender.ts';
export type { AudioEncoding, AudioFormat } from './media/audio-format.ts';
export type { MediaStatistics } from './media/media-statistics.ts';
export type { VoiceActivityDetector, VoiceActivityStream } from './media/voice-activity.ts';
export type {
  ChatMessage,
  LanguageModel,
  LlmEvent,
  LlmRequest,
  LlmTool,
  ToolCallRequest,
} from './providers/language-model.ts';
export type { ModelUsage } from './providers/model-usage.ts';
export type { Provider } from './providers/provider.ts';
export { type OptionIssue, type ProviderTraits, vendorOf } from './providers/provider-traits.ts';
export type {
  RealtimeEvent,
  RealtimeModel,
  RealtimeSession,
  RealtimeSessionOptions,
} from './providers/realtime-model.ts';
export type { SpeechToText, SttEvent, SttStream, SttStreamOptions } from './providers/speech-to-text.ts';
export type {
  TextToSpeech,
  TtsEvent,
  TtsSession,
  TtsSessionOptions,
  TtsUtterance,
  WordTiming,
} from './providers/text-to-speech.ts';
export type { RecordingSink, RecordingStore, StoredRecording } from './recordings.ts';
export type {
  Amounts,
  Changes,
  Collection,
  CollectionAcross,
  Condition,
  Cursor,
  Filter,
  ListQuery,
  Owned,
  Where,
  WordsCondition,
} from './storage/collection.ts';
export type { Records } from './storage/records.ts';
export {
  type PendingMigration,
  type SqlClient,
  type Storage,
  type StorageCapabilities,
  StorageCapabilityError,
  type StorageMigrations,
} from './storage/storage.ts';
export type {
  CarrierAccess,
  CarrierDialRequest,
  DialedNumber,
  DialFailure,
  DialRequest,
  InboundCarrierTrunk,
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
} from './telephony.ts';
export type { TelephonyHttp } from './telephony-http.ts';
export {
  type ServedTool,
  type ServedToolCall,
  type ToolServerAddress,
  ToolServerError,
  type ToolServerSession,
  type ToolServerSessionOptions,
  type ToolServers,
} from './tool-servers.ts';
export type { TurnModel, TurnModelInput } from './turn-model.ts';
export { type Secret, type SecretAddress, type Vault, VaultError, type VaultErrorCode } from './vault.ts';
export type {
  OutgoingWebhook,
  StoredWebhook,
  WebhookAttempt,
  WebhookDispatcher,
  WebhookEvent,
  WebhookHost,
  WebhookMessage,
  WebhookOutcome,
  WebhookRequestOptions,
  WebhookResults,
  WebhookTarget,
} from './webhooks.ts';
