import type { CallLatency, TurnLatency } from '../../domain/calls/call.ts';
import type { Speech } from '../state/agent/agent-turn.ts';
import type { LatencyLog } from '../state/agent/latency-log.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { Emit } from '../state/effects.ts';

/** Records the caller's waiting time when the first frame of a reply is played. */
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

/**
 * Reports an interruption, and records how long the caller had spoken by then. `spokenAtMs` is the time at which their
 * speech stopped the agent; null if something else did.
 */
export function noteInterruption(state: ConversationState, spokenAtMs: number | null, emit: Emit): ConversationState {
  const { userTurn } = state;
  emit({ type: 'notice', notice: { type: 'interrupted' } });
  if (spokenAtMs === null || userTurn.kind === 'idle' || !userTurn.voiced) return state;
  const afterMs = span(userTurn.voicedSinceMs, spokenAtMs);
  return { ...state, latency: { ...state.latency, interruptionsMs: [...state.latency.interruptionsMs, afterMs] } };
}

/** Returns the latencies of a call, with the percentiles of its turns. */
export function callLatency({ turns, interruptionsMs, prepared }: LatencyLog): CallLatency {
  const totals = turns.map((turn) => turn.total_ms).sort((a, b) => a - b);
  const at = (share: number): number => totals[Math.min(totals.length - 1, Math.floor(totals.length * share))] ?? 0;
  return {
    turns: [...turns],
    total_ms: totals.length === 0 ? null : { p50: at(0.5), p95: at(0.95) },
    interruptions_ms: [...interruptionsMs],
    prepared_replies: { ...prepared },
  };
}

/**
 * Returns the difference of two times in ms, rounded to 0.1; 0 if negative. Media events come from another thread and
 * may be handled after later events.
 */
function span(fromMs: number, toMs: number): number {
  return Math.round(Math.max(0, toMs - fromMs) * 10) / 10;
}
