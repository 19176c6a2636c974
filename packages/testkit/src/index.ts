export { CallUnderTest, type CallUnderTestOptions, dialedNumber } from './call-under-test.ts';
export { CustomerServer, type CustomerServerOptions, type ReceivedToolCall } from './customer-server.ts';
export { isSilent, type ReadableVoice, readSound, soundOf } from './readable-sound.ts';
export { callerFrame, ScriptedIncomingCall } from './scripted-leg.ts';
export { calling, type ScriptedLlm, type ScriptedReply, saying, scriptedLlm } from './scripted-llm.ts';
export {
  type ScriptedRealtime,
  type ScriptedRealtimeOptions,
  type ScriptedRealtimeSession,
  type ScriptedResponse,
  type SessionCommand,
  scriptedRealtime,
} from './scripted-realtime.ts';
export { type ScriptedStt, type ScriptedSttOptions, type ScriptedSttStream, scriptedStt } from './scripted-stt.ts';
export { type ScriptedTts, type ScriptedTtsOptions, scriptedTts } from './scripted-tts.ts';
export { levelVad } from './scripted-vad.ts';
export { ScriptedWebhooks } from './scripted-webhooks.ts';
export { silentLogger } from './silent-logger.ts';
export { type SpokenStretch, SpokenWords } from './spoken-words.ts';
export { type HeardSound, TimedIncomingCall } from './timed-leg.ts';
export { VirtualClock } from './virtual-clock.ts';
