import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../../../src/conversation/state/transcript.ts';
import { situationOf } from '../../../src/conversation/turns/situation-of.ts';
import {
  callerTurn,
  heardSpeech,
  openConversation,
  replied,
  said,
  speakingAgent,
  thinkingTurn,
} from '../../support/conversation-state.ts';

const context: TranscriptEntry = { role: 'system', text: 'It rains. Is that so?' };

describe('what the agent asked', () => {
  it.each<[string, TranscriptEntry[], string | null]>([
    ['a yes-or-no question', [replied('Do you like it?')], 'yesNo'],
    ['a name', [said('Hi'), replied('What is your name?')], 'name'],
    ['something else', [replied('Hello. What can I do for you?')], 'other'],
    ['nothing with a statement', [replied('We are open.')], null],
    ['nothing once the caller has replied', [replied('Do you like it?'), said('Yes')], null],
    ['nothing before the first word', [], null],
    ['what it asked before a message for the model', [replied('Do you like it?'), context], 'yesNo'],
    ['nothing in a message for the model alone', [context], null],
  ])('is %s', (_what, entries, asked) => {
    expect(situationOf(openConversation({ entries })).agent.asked).toBe(asked);
  });

  it('is taken from the heard text, or from the full text while none of it was heard', () => {
    const interrupted = replied('We are open. Do you like it?', { heard: 'We are open.', interrupted: true });
    expect(situationOf(openConversation({ entries: [interrupted] })).agent.asked).toBeNull();
    const unheard = replied('Do you like it?', { heard: '' });
    expect(situationOf(openConversation({ entries: [unheard] })).agent.asked).toBe('yesNo');
  });
});

describe('the agent', () => {
  it('is heard from the start to the end of an utterance', () => {
    const heard = (changes: object): boolean => {
      const agentTurn = thinkingTurn(0, { speeches: [heardSpeech('Hello.', changes)] });
      return situationOf(speakingAgent('Hello.', { agentTurn })).agent.isHeard;
    };
    expect([heard({ started: false }), heard({}), heard({ finished: true })]).toEqual([false, true, false]);
  });

  it('is active and interruptible as its turn says', () => {
    const agentTurn = thinkingTurn(0, { interruptible: false });
    const { agent } = situationOf(openConversation({ entries: [replied('')], agentTurn }));
    expect(agent).toMatchObject({ isActive: true, isHeard: false, isInterruptible: false, isPaused: false });
    expect(situationOf(openConversation()).agent).toMatchObject({ isActive: false, isInterruptible: false });
  });

  it('is paused while the caller speaks, and after they have fallen silent', () => {
    const pausedBy = (quietSinceMs: number | null) =>
      situationOf(openConversation({ agentTurn: thinkingTurn(0, { paused: { sinceMs: 5_200, quietSinceMs } }) })).agent;
    expect(pausedBy(null)).toMatchObject({ isPaused: true, quietSinceMs: null });
    expect(pausedBy(5_600)).toMatchObject({ isPaused: true, quietSinceMs: 5_600 });
  });
});

describe('the caller', () => {
  it('has pending words while the recognizer has not answered for a part of the turn', () => {
    const { user } = situationOf(openConversation({ userTurn: callerTurn({ awaited: [3] }) }));
    expect(user).toMatchObject({ kind: 'speaking', isVoiced: true, awaitsWords: true });
    expect(situationOf(openConversation({ userTurn: callerTurn() })).user.awaitsWords).toBe(false);
  });

  it('has an end probability for the current pause only', () => {
    const judged = (lastSpeechAtMs: number): number | null => {
      const current = { request: 4, lastSpeechAtMs, text: '', isPending: false, probability: 0.9 };
      const userTurn = callerTurn({ kind: 'ending', lastSpeechAtMs: 6_000 });
      return situationOf(openConversation({ userTurn, prediction: { current, requests: 1 } })).user.endProbability;
    };
    expect([judged(6_000), judged(5_400)]).toEqual([0.9, null]);
  });
});

describe('situationOf', () => {
  it('returns the same situation for the same state', () => {
    const state = openConversation();
    expect(situationOf(state)).toBe(situationOf(state));
  });

  it.each([
    [true, 'Hello.'],
    [false, '  '],
    [false, null],
  ])('has a first message: %s, if it is "%s"', (expected, firstMessage) => {
    expect(situationOf(openConversation({}, { firstMessage })).hasFirstMessage).toBe(expected);
  });
});
