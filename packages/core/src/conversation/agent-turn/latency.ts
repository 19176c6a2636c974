import type { CallLatency, TurnLatency } from '../../domain/calls/call.ts';
import type { Speech } from '../state/agent-turn.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';

/** Notes how long the caller waited, when the first frame of an answer to a turn leaves. */
export function measureTurn(state: ConversationState, speech: Speech, atMs: number, emit: Emit): ConversationState {
  const { agentTurn } = state;
  if (agentTurn.kind !== 'active' || agentTurn.measured || agentTurn.answers === null) return state;
  const { lastSpeechAtMs, endedAtMs, wordsAtMs } = agentTurn.answers;
  const turn: TurnLatency = {
    total_ms: span(lastSpeechAtMs, atMs),
    endpointing_ms: span(lastSpeechAtMs, endedAtMs),
    stt_final_ms: wordsAtMs === null ? null : span(lastSpeechAtMs, wordsAtMs),
    first_audio_ms: speech.firstAudioAtMs === null ? null : span(lastSpeechAtMs, speech.firstAudioAtMs),
    llm_first_token_ms: agentTurn.firstTokenAtMs === null ? null : span(endedAtMs, agentTurn.firstTokenAtMs),
    tts_first_byte_ms:
      speech.firstPushAtMs === null || speech.firstAudioAtMs === null
        ? null
        : span(speech.firstPushAtMs, speech.firstAudioAtMs),
  };
  emit({ type: 'notice', notice: { type: 'latency', turn } });
  return {
    ...state,
    latency: { ...state.latency, turns: [...state.latency.turns, turn] },
    agentTurn: { ...agentTurn, measured: true },
  };
}

/** Notes how long the caller had spoken over the agent when it fell silent. */
export function noteInterruption(state: ConversationState, spokenAtMs: number | null, emit: Emit): ConversationState {
  const { userTurn } = state;
  emit({ type: 'notice', notice: { type: 'interrupted' } });
  if (spokenAtMs === null || userTurn.kind === 'idle' || !userTurn.voiced) return state;
  const afterMs = span(userTurn.voicedSinceMs, spokenAtMs);
  return { ...state, latency: { ...state.latency, interruptionsMs: [...state.latency.interruptionsMs, afterMs] } };
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

/**
 * From one to the other, to a tenth. Media tell their times from another thread: what comes late from there may lie
 * before what was done meanwhile, and no time has passed then.
 */
function span(fromMs: number, toMs: number): number {
  return Math.round(Math.max(0, toMs - fromMs) * 10) / 10;
}
