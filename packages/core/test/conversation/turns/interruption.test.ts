import { describe, expect, it } from 'vitest';
import { emptyLedger, enter } from '../../../src/conversation/state/tools/tool-ledger.ts';
import type { TurnSituation } from '../../../src/conversation/turn-policy/turn-situation.ts';
import { interruptionBySettings as strategy } from '../../../src/conversation/turns/interruption.ts';
import { situationOf } from '../../../src/conversation/turns/situation-of.ts';
import { callerTurn, speakingAgent, speechOf, thinkingTurn } from '../../support/conversation-state.ts';
import type { SpeechConfigInput } from '../../support/steady-speech.ts';

type Interruption = SpeechConfigInput['interruption'];

const runningTool = enter(emptyLedger, { id: 'call-1', name: 'lookup', arguments: '{}' });

/** A caller who says the words over the agent since 5,000 ms; the agent was first heard at 4,000 ms. */
function speakingOver(text: string, interruption: Interruption = {}): TurnSituation {
  const state = speakingAgent(
    'We are open until nine.',
    { userTurn: callerTurn({ text }) },
    { speech: speechOf({ interruption }) },
  );
  return situationOf({ ...state, playout: { ...state.playout, firstSoundAtMs: 4_000 } });
}

describe('mayInterrupt', () => {
  it('follows the setting', () => {
    expect(strategy.mayInterrupt(speakingOver(''), 5_000)).toBe(true);
    expect(strategy.mayInterrupt(speakingOver('', { enabled: false }), 5_000)).toBe(false);
  });

  it('is false during a message that must not be interrupted', () => {
    const state = speakingAgent('Goodbye.', { agentTurn: thinkingTurn(0, { interruptible: false }) });
    expect(strategy.mayInterrupt(situationOf(state), 5_000)).toBe(false);
  });

  it.each([
    [true, true],
    [false, false],
  ])('is %s while a tool runs with during_tools %s', (expected, during_tools) => {
    const speech = speechOf({ interruption: { during_tools } });
    const state = speakingAgent('One moment.', { tools: runningTool }, { speech });
    expect(strategy.mayInterrupt(situationOf(state), 5_000)).toBe(expected);
  });

  it('is false until the echo canceller has adapted to the first sound of the agent', () => {
    const situation = speakingOver('', { echo_warmup_ms: 1_500 });
    expect([5_499, 5_500].map((atMs) => strategy.mayInterrupt(situation, atMs))).toEqual([false, true]);
  });

  it('is true before the first sound of the agent, which has no echo', () => {
    const speech = speechOf({ interruption: { echo_warmup_ms: 1_500 } });
    expect(strategy.mayInterrupt(situationOf(speakingAgent('Hello.', {}, { speech })), 0)).toBe(true);
  });
});

describe('interruptsAtMs', () => {
  it.each<[string, Interruption, number | null]>([
    ['after the minimum duration of speech', { min_duration_ms: 400 }, 5_400],
    ['at once without a minimum', { min_duration_ms: 0 }, 5_000],
    ['not before the echo canceller has adapted', { min_duration_ms: 400, echo_warmup_ms: 3_000 }, 7_000],
    ['by words alone if some are required', { min_words: 2 }, null],
  ])('interrupts %s', (_when, interruption, atMs) => {
    expect(strategy.interruptsAtMs(speakingOver('', interruption))).toBe(atMs);
  });
});

describe('wordsInterrupt', () => {
  it.each([
    [false, 'one word of two', 'wait', { min_words: 2 }],
    [true, 'two words of two', 'wait please', { min_words: 2 }],
    [false, 'words where speech alone interrupts', 'wait please', { min_words: 0 }],
  ])('is %s for %s', (expected, _what, text, interruption) => {
    expect(strategy.wordsInterrupt(speakingOver(text, interruption))).toBe(expected);
  });

  it('is true for any word once speech has paused the agent', () => {
    const paused = { sinceMs: 5_300, quietSinceMs: null };
    const state = speakingAgent('Hello there.', { agentTurn: thinkingTurn(0, { paused }) });
    const spoken = { ...state, userTurn: callerTurn({ text: 'wait' }) };
    expect(strategy.wordsInterrupt(situationOf(spoken))).toBe(true);
  });
});

describe('turnInterrupts', () => {
  it.each([
    [true, '', 0],
    [true, 'wait', 1],
    [false, 'wait', 2],
    [true, 'wait a moment', 3],
  ])('is %s for the turn "%s" if %d words are required', (expected, text, min_words) => {
    expect(strategy.turnInterrupts(speakingOver(text, { min_words }))).toBe(expected);
  });
});

describe('isBackchannel', () => {
  it.each<[boolean, string, Interruption]>([
    [true, 'uh-huh', {}],
    [false, 'wait', {}],
    [false, 'uh-huh', { ignore_backchannels: false }],
    [true, 'carry on', { backchannels: ['carry on'] }],
    [false, 'carry on', {}],
  ])('is %s for "%s" with %j', (expected, text, interruption) => {
    expect(strategy.isBackchannel(speakingOver(text, interruption))).toBe(expected);
  });

  it('knows the words of the conversation’s language', () => {
    const inLanguage = (language: string): TurnSituation => ({ ...speakingOver('precies'), language });
    expect(['nl', 'en'].map((language) => strategy.isBackchannel(inLanguage(language)))).toEqual([true, false]);
  });
});

describe('the voice of an agent that is interrupted', () => {
  it('is lowered unless lower_db is 0', () => {
    expect(strategy.lowersVoice(speakingOver('', { lower_db: 6 }))).toBe(true);
    expect(strategy.lowersVoice(speakingOver('', { lower_db: 0 }))).toBe(false);
  });

  it('resumes after resume_after_ms of quiet', () => {
    expect(strategy.resumesAtMs(speakingOver('', { resume_after_ms: 800 }), 6_000)).toBe(6_800);
  });
});
