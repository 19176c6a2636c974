import { describe, expect, it } from 'vitest';
import { callLatency, measureTurn, noteInterruption } from '../../../src/conversation/agent-turn/latency.ts';
import type { ActiveAgentTurn } from '../../../src/conversation/state/agent/agent-turn.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import { callerTurn, effects, heardSpeech, openConversation, thinkingTurn } from '../../support/conversation-state.ts';

const answers = { lastSpeechAtMs: 3_000, endedAtMs: 3_250, wordsAtMs: 3_100 };
const speech = heardSpeech('Yes.', { firstPushAtMs: 3_600, firstAudioAtMs: 3_850 });

function answering(turn: Partial<ActiveAgentTurn> = {}): ConversationState {
  return openConversation({ agentTurn: thinkingTurn(1, { answers, firstTokenAtMs: 3_550, ...turn }) });
}

function measured(state: ConversationState, spoken = speech, atMs = 3_900) {
  const { emit, emitted } = effects();
  const after = measureTurn(state, spoken, atMs, emit);
  return { after, emitted, turn: after.latency.turns[0] };
}

describe('measureTurn', () => {
  it('measures the parts of the wait from the last speech of the caller', () => {
    const { turn, emitted } = measured(answering());
    expect(turn).toEqual({
      total_ms: 900,
      endpointing_ms: 250,
      stt_final_ms: 100,
      first_audio_ms: 850,
      llm_first_token_ms: 300,
      tts_first_byte_ms: 250,
    });
    expect(emitted).toEqual([{ type: 'notice', notice: { type: 'latency', turn } }]);
  });

  it('sets measurements whose times are unknown to null', () => {
    const silent = heardSpeech('Yes.', { firstPushAtMs: null, firstAudioAtMs: null });
    const keys = answering({ answers: { ...answers, wordsAtMs: null }, firstTokenAtMs: null });
    expect(measured(keys, silent).turn).toMatchObject({
      stt_final_ms: null,
      first_audio_ms: null,
      llm_first_token_ms: null,
      tts_first_byte_ms: null,
    });
  });

  it('returns 0, not a negative time, when events arrive out of order', () => {
    expect(measured(answering({ answers: { ...answers, wordsAtMs: 2_990 } })).turn?.stt_final_ms).toBe(0);
  });

  it('rounds to a tenth of a millisecond', () => {
    expect(measured(answering(), speech, 3_900.16).turn?.total_ms).toBe(900.2);
  });

  it.each<[string, ConversationState]>([
    ['the second utterance of a turn', measured(answering()).after],
    ['a turn that answers nothing, such as a first message', answering({ answers: null })],
    ['a silent agent', openConversation()],
  ])('does not measure %s', (_what, state) => {
    const { after, emitted } = measured(state);
    expect([after, emitted]).toEqual([state, []]);
  });
});

describe('noteInterruption', () => {
  function interrupted(state: ConversationState, spokenAtMs: number | null) {
    const { emit, emitted } = effects();
    return { latency: noteInterruption(state, spokenAtMs, emit).latency.interruptionsMs, emitted };
  }

  it('records how long the caller spoke until the agent was silent', () => {
    const { latency, emitted } = interrupted(openConversation({ userTurn: callerTurn() }), 5_280);
    expect(latency).toEqual([280]);
    expect(emitted).toEqual([{ type: 'notice', notice: { type: 'interrupted' } }]);
  });

  it.each<[string, ConversationState, number | null]>([
    ['a command', openConversation({ userTurn: callerTurn() }), null],
    ['words without detected speech', openConversation({ userTurn: callerTurn({ voiced: false }) }), 5_280],
    ['a key without a turn', openConversation(), 5_280],
  ])('only reports an interruption by %s', (_what, state, spokenAtMs) => {
    const { latency, emitted } = interrupted(state, spokenAtMs);
    expect([latency, emitted.length]).toEqual([[], 1]);
  });
});

describe('callLatency', () => {
  const turnOf = (total_ms: number) => ({
    total_ms,
    endpointing_ms: 0,
    stt_final_ms: null,
    first_audio_ms: null,
    llm_first_token_ms: null,
    tts_first_byte_ms: null,
  });
  const percentilesOf = (totals: readonly number[]) =>
    callLatency({ turns: totals.map(turnOf), interruptionsMs: [], prepared: { made: 0, used: 0 } }).total_ms;

  it('has no percentiles without turns, and the same ones for a single turn', () => {
    expect(percentilesOf([])).toBeNull();
    expect(percentilesOf([700])).toEqual({ p50: 700, p95: 700 });
  });

  it('has the percentiles of the turns, in whatever order they were', () => {
    const totals = Array.from({ length: 100 }, (_, n) => (n * 37) % 100);
    expect(percentilesOf(totals)).toEqual({ p50: 50, p95: 95 });
  });

  it('keeps turns in their order, and the counts of prepared replies', () => {
    const prepared = { made: 3, used: 2 };
    const latency = callLatency({ turns: [turnOf(900), turnOf(300)], interruptionsMs: [250], prepared });
    expect(latency.turns.map(({ total_ms }) => total_ms)).toEqual([900, 300]);
    expect(latency).toMatchObject({ interruptions_ms: [250], prepared_replies: prepared });
  });
});
