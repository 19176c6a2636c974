import { describe, expect, it } from 'vitest';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import { emptyLedger, enter } from '../../../src/conversation/state/tools/tool-ledger.ts';
import type { TurnPolicy } from '../../../src/conversation/turn-policy/turn-policy.ts';
import { defaultTurnPolicy } from '../../../src/conversation/turns/default-turn-policy.ts';
import {
  dismissed,
  finalizeWords,
  speechEnded,
  speechPaused,
  speechResumed,
  speechStarted,
  suspected,
} from '../../../src/conversation/user-turn/user-turn.ts';
import { callerTurn, effects, heardSpeech, openConversation, thinkingTurn } from '../../support/conversation-state.ts';

const tail = { pitchChangeSt: -4, levelChangeDb: -8, lastVoicedMs: 180 };

function started(state: ConversationState, onsetAtMs = 6_000, atMs = 6_050) {
  const { emit, emitted } = effects();
  return { after: speechStarted(state, onsetAtMs, atMs, emit), emitted };
}

/** The learned pause of a caller who speaks again at 6,000 ms. */
function learned(changes: Partial<ConversationState>): number | null {
  return started(openConversation(changes)).after.caller.learnedPauseMs;
}

describe('speechStarted', () => {
  it('starts a turn at the onset of the speech', () => {
    const { after, emitted } = started(openConversation({ silence: { sinceMs: 1_000, prompts: 2 } }));
    expect(after.userTurn).toMatchObject({ kind: 'speaking', startedAtMs: 6_000, voicedSinceMs: 6_000, voiced: true });
    expect(after.silence.prompts).toBe(0);
    expect(emitted).toEqual([{ type: 'stt-speech-started' }, { type: 'notice', notice: { type: 'user-speaking' } }]);
  });

  it('continues a turn that was ending, with its words', () => {
    const userTurn = callerTurn({ kind: 'ending', finals: ['I would'], text: 'I would', tail });
    const { userTurn: turn } = started(openConversation({ userTurn })).after;
    expect(turn).toMatchObject({
      kind: 'speaking',
      startedAtMs: 5_000,
      voicedSinceMs: 6_000,
      text: 'I would',
      tail: null,
    });
  });

  it('is ignored if the policy starts no turn', () => {
    const turnPolicy: TurnPolicy = { ...defaultTurnPolicy, start: { startsTurn: () => false } };
    const state = suspected(openConversation({}, { turnPolicy }));
    const { after, emitted } = started(state);
    expect([after.userTurn.kind, after.caller.isSuspected, emitted]).toEqual(['idle', false, []]);
  });

  it('goes on without the policy during a turn', () => {
    const turnPolicy: TurnPolicy = { ...defaultTurnPolicy, start: { startsTurn: () => false } };
    const userTurn = callerTurn({ kind: 'ending' });
    expect(started(openConversation({ userTurn }, { turnPolicy })).after.userTurn.kind).toBe('speaking');
  });

  it('clears the end of the noise that paused the agent', () => {
    const agentTurn = thinkingTurn(0, { paused: { sinceMs: 5_500, quietSinceMs: 5_900 } });
    expect(started(openConversation({ agentTurn })).after.agentTurn).toMatchObject({ paused: { quietSinceMs: null } });
  });
});

describe('the pause before speech', () => {
  it('is learned within a turn that was ending', () => {
    expect(learned({ userTurn: callerTurn({ kind: 'ending', lastSpeechAtMs: 5_400 }) })).toBe(600);
    expect(learned({ userTurn: callerTurn({ kind: 'ending', voiced: false, lastSpeechAtMs: 5_400 }) })).toBeNull();
  });

  const answers = { lastSpeechAtMs: 5_200, endedAtMs: 5_425, wordsAtMs: 5_300 };
  const call = { id: 'call-1', name: 'lookup', arguments: '{}' };

  it('is learned after a turn that ended too early, while the agent has said nothing', () => {
    expect(learned({ agentTurn: thinkingTurn(0, { answers }) })).toBe(800);
  });

  it.each<[string, Partial<ConversationState>]>([
    ['the agent was heard', { agentTurn: thinkingTurn(0, { answers, speeches: [heardSpeech('Yes.')] }) }],
    ['a tool runs', { agentTurn: thinkingTurn(0, { answers }), tools: enter(emptyLedger, call) }],
    ['a tool has run', { agentTurn: thinkingTurn(0, { answers, toolSteps: 1 }) }],
    ['the agent speaks of itself', { agentTurn: thinkingTurn(0) }],
    ['the agent is silent', {}],
  ])('is not learned if %s', (_when, changes) => {
    expect(learned(changes)).toBeNull();
  });
});

describe('a sound that may become speech', () => {
  it('is suspected until it is dismissed', () => {
    const state = suspected(openConversation());
    expect([state.caller.isSuspected, dismissed(state).caller.isSuspected]).toEqual([true, false]);
  });
});

describe('a pause within speech', () => {
  it('is not counted as voiced', () => {
    const paused = speechPaused(openConversation({ userTurn: callerTurn() }), 5_380, 5_400);
    expect(paused.userTurn).toMatchObject({ pausedAtMs: 5_400, lastSpeechAtMs: 5_380 });
    const resumed = speechResumed(paused, 5_700);
    expect(resumed.userTurn).toMatchObject({ pausedAtMs: null, voicedSinceMs: 5_300 });
  });

  it('keeps its start when it is reported again', () => {
    const once = speechPaused(openConversation({ userTurn: callerTurn() }), 5_380, 5_400);
    expect(speechPaused(once, 5_380, 5_500).userTurn.pausedAtMs).toBe(5_400);
  });

  it('changes nothing without speech, or without a pause', () => {
    const idle = openConversation();
    expect([speechPaused(idle, 1, 2), speechResumed(idle, 2)]).toEqual([idle, idle]);
    const speaking = openConversation({ userTurn: callerTurn() });
    expect(speechResumed(speaking, 5_500)).toBe(speaking);
  });
});

describe('speechEnded', () => {
  const ended = { lastSpeechAtMs: 5_900, tail, atMs: 6_100 };

  it('asks the recognizer for the words of the turn', () => {
    const { emit, emitted } = effects();
    const after = speechEnded(openConversation({ userTurn: callerTurn(), lastId: 7 }), ended, emit);
    expect(after.userTurn).toMatchObject({ kind: 'ending', lastSpeechAtMs: 5_900, tail, awaited: [8], parts: [8] });
    expect(emitted).toEqual([{ type: 'finalize-stt', part: 8, awaited: [] }]);
  });

  it('records when the noise that paused the agent ended', () => {
    const agentTurn = thinkingTurn(0, { paused: { sinceMs: 5_500, quietSinceMs: null } });
    const after = speechEnded(openConversation({ userTurn: callerTurn(), agentTurn }), ended, effects().emit);
    expect(after.agentTurn).toMatchObject({ paused: { quietSinceMs: 5_900 } });
  });

  it('is ignored without speech', () => {
    const { emit, emitted } = effects();
    const state = openConversation();
    expect([speechEnded(state, ended, emit), emitted]).toEqual([state, []]);
  });
});

describe('finalizeWords', () => {
  it('lists the parts whose words are awaited, including superseded ones for a second', () => {
    const userTurn = callerTurn({ awaited: [4], parts: [4], superseded: [2], supersededUntilMs: 6_000 });
    const awaitedAt = (atMs: number): unknown => {
      const { emit, emitted } = effects();
      finalizeWords(openConversation({ userTurn, lastId: 4 }), atMs, emit);
      return emitted;
    };
    expect(awaitedAt(5_999)).toEqual([{ type: 'finalize-stt', part: 5, awaited: [2, 4] }]);
    expect(awaitedAt(6_000)).toEqual([{ type: 'finalize-stt', part: 5, awaited: [4] }]);
  });
});
