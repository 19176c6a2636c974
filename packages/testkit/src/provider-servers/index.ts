export type { AssemblyAiConnection, AssemblyAiFault } from './assemblyai/behaviour.ts';
export { AssemblyAiServer, type AssemblyAiServerOptions } from './assemblyai-server.ts';
export type { CartesiaBehaviour, CartesiaConnection, CartesiaFault } from './cartesia/behaviour.ts';
export {
  type InkConnection,
  type InkFault,
  InkServer,
} from './cartesia/ink-server.ts';
export { CartesiaServer } from './cartesia-server.ts';
export type { ChatDialectName, ChatError, ChatFault, ChatReply, ChatRequest } from './chat/script.ts';
export { ChatServer } from './chat-server.ts';
export type { DeepgramBehaviour, DeepgramConnection, DeepgramFault } from './deepgram/behaviour.ts';
export {
  DeepgramServer,
  type DeepgramServerOptions,
} from './deepgram-server.ts';
export type { ElevenLabsBehaviour, ElevenLabsConnection, ElevenLabsFault } from './elevenlabs/behaviour.ts';
export { ElevenLabsServer } from './elevenlabs-server.ts';
export type { GeminiConnection, GeminiFault, GeminiReply } from './gemini/behaviour.ts';
export { GeminiServer, type GeminiServerOptions } from './gemini-server.ts';
export {
  type OpenAiBehaviour,
  type OpenAiFault,
  type OpenAiReply,
  type OpenAiRequest,
  OpenAiServer,
  type OpenAiToolCall,
} from './openai-server.ts';
export {
  type OpenAiSpeechFault,
  type OpenAiSpeechRequest,
  OpenAiSpeechServer,
  type OpenAiSpeechServerOptions,
  type OpenAiTranscriptionRequest,
} from './openai-speech-server.ts';
export type {
  RealtimeClientEvent,
  RealtimeConnection,
  RealtimeDialectName,
  RealtimeFault,
  RealtimeItem,
  RealtimeReply,
  RealtimeStep,
  RealtimeTranscript,
} from './realtime/script.ts';
export type { TranscriptionConnection, TranscriptionFault } from './realtime/transcription-behaviour.ts';
export { TranscriptionServer } from './realtime/transcription-server.ts';
export { RealtimeServer, type RealtimeServerOptions } from './realtime-server.ts';
export { type ScribeConnection, type ScribeFault, ScribeServer } from './scribe-server.ts';
