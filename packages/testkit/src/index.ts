export { CallUnderTest, type CallUnderTestOptions, dialedNumber } from './call-under-test.ts';
export { isSilent, type ReadableVoice, readSound, soundOf } from './readable-sound.ts';
export { sampleAgent, sampleCall } from './records/sample-records.ts';
export { CustomerServer, type CustomerServerOptions, type ReceivedToolCall } from './scripted/customer-server.ts';
export { ScriptedIncomingCall } from './scripted/scripted-incoming-call.ts';
export { callerFrame, ScriptedLeg } from './scripted/scripted-leg.ts';
export { calling, type ScriptedLlm, type ScriptedReply, saying, scriptedLlm } from './scripted/scripted-llm.ts';
export { ScriptedOutgoingCall } from './scripted/scripted-outgoing-call.ts';
export {
  type ScriptedRealtime,
  type ScriptedRealtimeOptions,
  type ScriptedRealtimeSession,
  type ScriptedResponse,
  type SessionCommand,
  scriptedRealtime,
} from './scripted/scripted-realtime.ts';
export {
  type ScriptedStt,
  type ScriptedSttOptions,
  type ScriptedSttStream,
  scriptedStt,
} from './scripted/scripted-stt.ts';
export { ScriptedTelephony } from './scripted/scripted-telephony.ts';
export { type ScriptedTts, type ScriptedTtsOptions, scriptedTts } from './scripted/scripted-tts.ts';
export { levelVad } from './scripted/scripted-vad.ts';
export { ScriptedWebCall } from './scripted/scripted-web-call.ts';
export { ScriptedWebhooks } from './scripted/scripted-webhooks.ts';
export { type HeardSound, TimedIncomingCall } from './scripted/timed-leg.ts';
export { type ScriptedTransfer, TransferringIncomingCall } from './scripted/transferring-leg.ts';
export { silentLogger } from './silent-logger.ts';
export type { CallerLine, CallerPlayer, CallerView, ScriptedLine } from './simulation/caller.ts';
export type { SimulatedConversation, SimulatedToolCall, SpokenLine } from './simulation/conversation.ts';
export {
  type ConversationExpectations,
  expectConversation,
  type Moment,
  UnmetExpectation,
  type Words,
} from './simulation/expect.ts';
export { type PersonaCallerOptions, personaCaller } from './simulation/persona.ts';
export { showConversation } from './simulation/show.ts';
export { type SimulationOptions, simulateConversation } from './simulation/simulate.ts';
export type { SimulationTiming } from './simulation/simulation-timing.ts';
export { InvalidSimulation, type ToolHandler, type ToolHandlerContext } from './simulation/tool-handlers.ts';
export { type SpokenStretch, SpokenWords } from './spoken-words.ts';
export { VirtualClock } from './virtual-clock.ts';
