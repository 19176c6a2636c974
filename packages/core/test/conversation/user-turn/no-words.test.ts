import { describe, expect, it } from 'vitest';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import { askAgain } from '../../../src/conversation/user-turn/ask-again.ts';
import { noWords, noWordsAtMs } from '../../../src/conversation/user-turn/no-words.ts';
import {
  callerTurn,
  effects,
  heardSpeech,
  openConversation,
  speechOf,
  thinkingTurn,
} from '../../support/conversation-state.ts';

const speech = speechOf({
  unrecognized: { timeout_ms: 8_000, prompts: ['Pardon?', 'Once more?'], min_speech_ms: 1_500 },
});

function noisy(turn: Parameters<typeof callerTurn>[0] = {}, changes: Partial<ConversationState> = {}) {
  return openConversation({ userTurn: callerTurn(turn), ...changes }, { speech });
}

describe('noWordsAtMs', () => {
  it('is the timeout after the start of speech without words', () => {
    expect(noWordsAtMs(noisy())).toBe(13_000);
  });

  it('waits for the recognizer once it was asked, up to the maximum delay', () => {
    expect(noWordsAtMs(noisy({ probedAtMs: 13_000, awaited: [4] }))).toBe(16_000);
    expect(noWordsAtMs(noisy({ probedAtMs: 13_000, awaited: [] }))).toBe(13_000);
  });

  it.each<[string, ConversationState]>([
    ['with words', noisy({ text: 'hello' })],
    ['once the caller is silent', noisy({ kind: 'ending' })],
    ['without a turn', openConversation({}, { speech })],
    [
      'if the settings wait for the end of the speech',
      openConversation({ userTurn: callerTurn() }, { speech: speechOf({ unrecognized: { timeout_ms: 0 } }) }),
    ],
    ['for a speech-to-speech model', openConversation({ userTurn: callerTurn() }, { speech, isRealtime: true })],
  ])('is null %s', (_when, state) => {
    expect(noWordsAtMs(state)).toBeNull();
  });
});

describe('noWords', () => {
  it('first asks the recognizer to finalize', () => {
    const { emit, emitted } = effects();
    const after = noWords(noisy(), 13_000, emit);
    expect(after.userTurn).toMatchObject({ kind: 'speaking', probedAtMs: 13_000, awaited: [1] });
    expect(emitted).toEqual([{ type: 'finalize-stt', part: 1, awaited: [] }]);
  });

  it('then treats the speech as a noise, and resumes the paused agent', () => {
    const speeches = [heardSpeech('We are open until nine.')];
    const agentTurn = thinkingTurn(0, { llm: null, speeches, paused: { sinceMs: 5_250, quietSinceMs: null } });
    const { emit, emitted } = effects();
    const after = noWords(noisy({ probedAtMs: 13_000 }, { agentTurn }), 16_000, emit);
    expect(after.userTurn.kind).toBe('idle');
    expect(after.agentTurn).toMatchObject({ paused: null });
    expect(emitted.map(({ type }) => type)).toContain('resume-playout');
  });
});

describe('askAgain', () => {
  /** Asks at 7,000 ms about speech since 5,000 ms. */
  function asked(turn: Parameters<typeof callerTurn>[0] = {}, changes: Partial<ConversationState> = {}) {
    const state = openConversation(changes, { speech });
    const { emit, emitted } = effects();
    const after = askAgain(state, callerTurn(turn), 7_000, emit);
    const texts = emitted.flatMap((effect) => (effect.type === 'speak' ? [effect.text] : []));
    return { state, after, texts };
  }
  const unrecognized = (unrecognizedTurns: number): Partial<ConversationState> => ({
    caller: { ...openConversation().caller, unrecognizedTurns },
  });

  it('says the next prompt after each unrecognized turn, and nothing after the last prompt', () => {
    const first = asked();
    expect([first.texts, first.after.caller.unrecognizedTurns]).toEqual([['Pardon?'], 1]);
    expect(asked({}, unrecognized(1)).texts).toEqual(['Once more?']);
    const third = asked({}, unrecognized(2));
    expect([third.texts, third.after]).toEqual([[], third.state]);
  });

  it.each<[string, Parameters<typeof callerTurn>[0], Partial<ConversationState>]>([
    ['a short noise', { startedAtMs: 5_501 }, {}],
    ['a short noise that has ended', { kind: 'ending', lastSpeechAtMs: 6_400 }, {}],
    ['words without detected speech', { voiced: false }, {}],
    ['speech over the agent', {}, { agentTurn: thinkingTurn(0) }],
    ['speech before a reply that is due', {}, { reply: { due: { answers: null, toolSteps: 0 }, preemption: null } }],
  ])('does not ask after %s', (_what, turn, changes) => {
    const { state, after, texts } = asked(turn, changes);
    expect([after, texts]).toEqual([state, []]);
  });

  it('asks after speech of exactly the minimum duration', () => {
    expect(asked({ startedAtMs: 5_500 }).texts).toEqual(['Pardon?']);
    expect(asked({ kind: 'ending', lastSpeechAtMs: 6_500 }).texts).toEqual(['Pardon?']);
  });
});
