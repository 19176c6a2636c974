import type { CallLatency, TurnLatency } from '../domain/call.ts';
import type { Emit } from './effects.ts';
import type { ConversationState, Speech } from './state.ts';

/** Notes how long the caller waited, when the first frame of an answer to a turn leaves. */
export function measureTurn(state: ConversationState, speech: Speech, atMs: number, emit: Emit): ConversationState {
  const { agent } = state;
  if (agent.kind !== 'active' || agent.measured || agent.answers === null) return state;
  const { lastSpeechAtMs, endedAtMs, wordsAtMs } = agent.answers;
  const turn: TurnLatency = {
    total_ms: round(atMs - lastSpeechAtMs),
    endpointing_ms: round(endedAtMs - lastSpeechAtMs),
    stt_final_ms: wordsAtMs === null ? null : round(Math.max(0, wordsAtMs - lastSpeechAtMs)),
    first_audio_ms: speech.firstAudioAtMs === null ? null : round(speech.firstAudioAtMs - lastSpeechAtMs),
    llm_first_token_ms: agent.firstTokenAtMs === null ? null : round(agent.firstTokenAtMs - endedAtMs),
    tts_first_byte_ms:
      speech.firstPushAtMs === null || speech.firstAudioAtMs === null
        ? null
        : round(speech.firstAudioAtMs - speech.firstPushAtMs),
  };
  emit({ type: 'notice', notice: { type: 'latency', turn } });
  return { ...state, latencies: [...state.latencies, turn], agent: { ...agent, measured: true } };
}

/** Notes how long the caller had spoken over the agent when it fell silent. */
export function noteInterruption(state: ConversationState, spokenAtMs: number | null, emit: Emit): ConversationState {
  const { user } = state;
  emit({ type: 'notice', notice: { type: 'interrupted' } });
  if (spokenAtMs === null || user.kind === 'idle' || !user.voiced) return state;
  const afterMs = round(spokenAtMs - user.voicedSinceMs);
  return { ...state, interruptionsMs: [...state.interruptionsMs, afterMs] };
}

/** The figures of a call, with the percentiles of its turns. */
export function callLatency(turns: readonly TurnLatency[], interruptionsMs: readonly number[]): CallLatency {
  const totals = turns.map((turn) => turn.total_ms).sort((a, b) => a - b);
  const at = (share: number): number => totals[Math.min(totals.length - 1, Math.floor(totals.length * share))] ?? 0;
  return {
    turns: [...turns],
    total_ms: totals.length === 0 ? null : { p50: at(0.5), p95: at(0.95) },
    interruptions_ms: [...interruptionsMs],
  };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
