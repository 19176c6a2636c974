import { describe, expect, it } from 'vitest';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { InterruptionStrategy, TurnPolicy } from '../../../src/conversation/turn-policy/turn-policy.ts';
import { defaultTurnPolicy } from '../../../src/conversation/turns/default-turn-policy.ts';
import {
  endOfTurnAtMs,
  interruptAtMs,
  interruptsByWords,
  isBackchannelOver,
  isListening,
  lowersVoice,
  maxTurnAtMs,
  mayInterrupt,
  resumeAtMs,
  startsTurn,
  turnInterrupts,
  wantsMute,
} from '../../../src/conversation/turns/turn-rules.ts';
import {
  callerTurn,
  heardSpeech,
  openConversation,
  plannedTransfer,
  speakingAgent,
  speechOf,
  thinkingTurn,
} from '../../support/conversation-state.ts';

const text = 'We are open until nine.';
const speeches = [heardSpeech(text)];

/** A conversation whose caller speaks over the agent. */
function over(changes: Partial<ConversationState> = {}, policy: Partial<TurnPolicy> = {}): ConversationState {
  const turnPolicy = { ...defaultTurnPolicy, ...policy };
  return speakingAgent(text, { userTurn: callerTurn(), ...changes }, { turnPolicy });
}

function interruption(changes: Partial<InterruptionStrategy>): Partial<TurnPolicy> {
  return { interruption: { ...defaultTurnPolicy.interruption, ...changes } };
}

const transferred: Partial<ConversationState> = { transfer: plannedTransfer };
const paused = thinkingTurn(0, { llm: null, speeches, paused: { sinceMs: 5_250, quietSinceMs: null } });

describe('the end of the caller’s turn', () => {
  it('is asked of the policy only while the turn is ending', () => {
    const kinds = (['idle', 'speaking', 'ending'] as const).map((kind) =>
      endOfTurnAtMs(openConversation({ userTurn: callerTurn({ kind }) })),
    );
    expect(kinds).toEqual([null, null, 5_225]);
  });

  it('has a limit during a turn with words only', () => {
    const limitOf = (turn: Parameters<typeof callerTurn>[0]) =>
      maxTurnAtMs(openConversation({ userTurn: callerTurn(turn) }));
    expect(limitOf({ text: 'so', kind: 'idle' })).toBeNull();
    expect(limitOf({ text: '' })).toBeNull();
    expect(limitOf({ text: 'so' })).toBe(65_000);
  });

  it('has no limit if the settings have none', () => {
    const speech = speechOf({ endpointing: { max_turn_ms: 0 } });
    expect(maxTurnAtMs(openConversation({ userTurn: callerTurn({ text: 'so' }) }, { speech }))).toBeNull();
  });

  it('has a limit for a speech-to-speech model without words, because it reports them later', () => {
    expect(maxTurnAtMs(openConversation({ userTurn: callerTurn() }, { isRealtime: true }))).toBe(65_000);
  });
});

describe('startsTurn', () => {
  it('passes the sign to the policy', () => {
    const start = { startsTurn: (_situation: unknown, sign: { type: string }) => sign.type === 'words' };
    const state = openConversation({}, { turnPolicy: { ...defaultTurnPolicy, start } });
    expect(startsTurn(state, { type: 'speech' })).toBe(false);
    expect(startsTurn(state, { type: 'words', text: 'hello' })).toBe(true);
  });
});

describe('mayInterrupt', () => {
  it.each<[boolean, string, ConversationState]>([
    [true, 'an agent that speaks', over()],
    [true, 'an agent that thinks', over({ agentTurn: thinkingTurn(0) })],
    [false, 'a silent agent', over({ agentTurn: { kind: 'silent' } })],
    [false, 'an agent that transfers the caller', over(transferred)],
    [false, 'an agent whose policy forbids it', over({}, interruption({ mayInterrupt: () => false }))],
  ])('is %s for %s', (expected, _whom, state) => {
    expect(mayInterrupt(state, 6_000)).toBe(expected);
    expect(turnInterrupts(state, 6_000)).toBe(expected);
  });
});

describe('lowersVoice', () => {
  it.each<[boolean, string, ConversationState]>([
    [true, 'speech over the agent', over()],
    [true, 'a sound that may become speech', over({ userTurn: callerTurn({ kind: 'idle' }), ...suspected() })],
    [false, 'no sound', over({ userTurn: callerTurn({ kind: 'idle' }) })],
    [false, 'a backchannel', over({ userTurn: callerTurn({ text: 'uh-huh' }) })],
    [false, 'speech before the agent is heard', over({ agentTurn: thinkingTurn(0) })],
    [false, 'speech during a transfer', over(transferred)],
    [false, 'speech over a silent agent', over({ agentTurn: { kind: 'silent' } })],
  ])('is %s for %s', (expected, _what, state) => {
    expect(lowersVoice(state, 6_000)).toBe(expected);
  });

  function suspected(): Partial<ConversationState> {
    return { caller: { ...openConversation().caller, isSuspected: true } };
  }
});

describe('interruptAtMs', () => {
  it.each<[number | null, string, ConversationState]>([
    [5_250, 'speech over the agent', over()],
    [null, 'speech with a pause', over({ userTurn: callerTurn({ pausedAtMs: 5_100 }) })],
    [null, 'a turn that is ending', over({ userTurn: callerTurn({ kind: 'ending' }) })],
    [null, 'an agent that is paused already', over({ agentTurn: paused })],
    [null, 'a silent agent', over({ agentTurn: { kind: 'silent' } })],
    [null, 'a backchannel', over({ userTurn: callerTurn({ text: 'uh-huh' }) })],
    [5_250, 'words that are none', over({ userTurn: callerTurn({ text: 'wait' }) })],
    [null, 'a transfer', over(transferred)],
  ])('is %d for %s', (atMs, _what, state) => {
    expect(interruptAtMs(state)).toBe(atMs);
  });

  it('asks whether the caller may interrupt at that time, and not now', () => {
    const asked: number[] = [];
    const watched = interruption({
      mayInterrupt(_situation, atMs) {
        asked.push(atMs);
        return true;
      },
    });
    interruptAtMs(over({}, watched));
    expect(asked).toEqual([5_250]);
  });
});

describe('interruptsByWords', () => {
  const byWords = interruption({ wordsInterrupt: () => true });

  it.each<[boolean, string, ConversationState]>([
    [true, 'words', over({ userTurn: callerTurn({ text: 'wait' }) }, byWords)],
    [false, 'no words', over({}, byWords)],
    [false, 'a backchannel', over({ userTurn: callerTurn({ text: 'uh-huh' }) }, byWords)],
    [false, 'words during a transfer', over({ userTurn: callerTurn({ text: 'wait' }), ...transferred }, byWords)],
  ])('is %s for %s', (expected, _what, state) => {
    expect(interruptsByWords(state, 6_000)).toBe(expected);
  });
});

describe('a backchannel', () => {
  it('is recognized only while the agent is heard', () => {
    const userTurn = callerTurn({ text: 'uh-huh' });
    expect(isListening(over({ userTurn }))).toBe(true);
    expect(isListening(over({ userTurn, agentTurn: thinkingTurn(0) }))).toBe(false);
  });

  it('is over once the caller is silent, if it has paused the agent', () => {
    const isOver = (turn: Parameters<typeof callerTurn>[0], agentTurn = paused): boolean =>
      isBackchannelOver(over({ userTurn: callerTurn({ kind: 'ending', text: 'uh-huh', ...turn }), agentTurn }));
    expect(isOver({})).toBe(true);
    expect(isOver({ kind: 'speaking' })).toBe(false);
    expect(isOver({ text: '' })).toBe(false);
    expect(isOver({ text: 'wait' })).toBe(false);
    expect(isOver({}, thinkingTurn(0, { llm: null, speeches }))).toBe(false);
  });

  it('needs words, even if the policy accepts anything', () => {
    const anything = interruption({ isBackchannel: () => true });
    const isOver = (text: string): boolean =>
      isBackchannelOver(over({ userTurn: callerTurn({ kind: 'ending', text }), agentTurn: paused }, anything));
    expect([isOver(''), isOver('wait')]).toEqual([false, true]);
  });
});

describe('resumeAtMs', () => {
  it('is the time after the noise has ended, and null before', () => {
    const after = (quietSinceMs: number | null): number | null =>
      resumeAtMs(over({ agentTurn: { ...paused, paused: { sinceMs: 5_250, quietSinceMs } } }));
    expect([after(5_900), after(null)]).toEqual([7_900, null]);
    expect(resumeAtMs(over())).toBeNull();
    expect(resumeAtMs(openConversation())).toBeNull();
  });
});

describe('wantsMute', () => {
  const mute = { mutesCaller: () => true };

  it('follows the policy, unless something needs the words of the caller', () => {
    expect(wantsMute(over({}, { mute }))).toBe(true);
    expect(wantsMute(over())).toBe(false);
    const state = over({}, { mute });
    expect(wantsMute({ ...state, playout: { ...state.playout, isMuted: true } })).toBe(false);
    expect(wantsMute({ ...state, phase: { kind: 'waiting' } })).toBe(false);
  });
});
