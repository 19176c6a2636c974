import { describe, expect, it } from 'vitest';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { ConversationEvent } from '../../../src/conversation/state/events.ts';
import { defaultTurnPolicy } from '../../../src/conversation/turns/default-turn-policy.ts';
import { noteMute, unheard } from '../../../src/conversation/user-turn/caller-mute.ts';
import {
  callerTurn,
  effects,
  heardSpeech,
  openConversation,
  said,
  thinkingTurn,
} from '../../support/conversation-state.ts';

/** A conversation whose policy mutes the caller, or not. */
function conversation(mutesCaller: boolean, changes: Partial<ConversationState> = {}): ConversationState {
  const turnPolicy = { ...defaultTurnPolicy, mute: { mutesCaller: () => mutesCaller } };
  return openConversation(changes, { turnPolicy });
}

function muted(isSpeaking: boolean, changes: Partial<ConversationState> = {}): ConversationState {
  const state = conversation(false, changes);
  return { ...state, caller: { ...state.caller, mute: { isSpeaking } } };
}

function noted(state: ConversationState) {
  const { emit, emitted } = effects();
  return { after: noteMute(state, 6_000, emit), emitted, types: emitted.map(({ type }) => type) };
}

describe('noteMute', () => {
  it('mutes a silent caller, whose audio becomes silence', () => {
    const { after, emitted } = noted(conversation(true));
    expect(after.caller.mute).toEqual({ isSpeaking: false });
    expect(emitted).toEqual([{ type: 'caller-muted', isMuted: true }]);
  });

  it('makes a turn of the words before the mute', () => {
    const { after } = noted(conversation(true, { userTurn: callerTurn({ text: 'I would', finals: ['I would'] }) }));
    expect(after.entries).toEqual([said('I would')]);
    expect([after.userTurn.kind, after.caller.mute]).toEqual(['idle', { isSpeaking: true }]);
  });

  it('hears the caller again, and starts a turn if they are speaking', () => {
    const silent = noted(muted(false));
    expect([silent.after.caller.mute, silent.types]).toEqual([null, ['caller-muted']]);
    const speaking = noted(muted(true));
    expect(speaking.after.userTurn).toMatchObject({ kind: 'speaking', startedAtMs: 6_000 });
    expect(speaking.types).toEqual(['caller-muted', 'stt-speech-started', 'notice']);
  });

  it('starts no turn in a call that is ending', () => {
    const ending = { reason: 'agent_hangup', error: null } as const;
    const phase = { kind: 'closing', ending, sinceMs: 0, silentAtMs: null, farewell: null } as const;
    expect(noted(muted(true, { phase })).after.userTurn.kind).toBe('idle');
  });

  it('changes nothing while the policy stays the same', () => {
    const state = conversation(false);
    expect(noted(state)).toMatchObject({ after: state, emitted: [] });
    const still = conversation(true, { caller: { ...state.caller, mute: { isSpeaking: false } } });
    expect(noted(still)).toMatchObject({ after: still, emitted: [] });
  });
});

describe('the first speech of the agent', () => {
  it('lasts from its first utterance to the end of that turn, and happens once', () => {
    const firstSpeechAfter = (state: ConversationState): string => noted(state).after.opening.firstSpeech;
    const thinking = conversation(false, { agentTurn: thinkingTurn(0) });
    expect(firstSpeechAfter(thinking)).toBe('none');
    const speaking = conversation(false, { agentTurn: thinkingTurn(0, { speeches: [heardSpeech('Hello.')] }) });
    expect(firstSpeechAfter(speaking)).toBe('going');
    const opening = (firstSpeech: 'none' | 'going' | 'over') => ({ ...speaking.opening, firstSpeech });
    expect(firstSpeechAfter(conversation(false, { opening: opening('going') }))).toBe('over');
    expect(firstSpeechAfter({ ...speaking, opening: opening('over') })).toBe('over');
    expect(firstSpeechAfter(conversation(false))).toBe('none');
  });
});

describe('unheard', () => {
  const state = muted(false);
  const at = { atMs: 6_000 };

  it('remembers whether the caller speaks', () => {
    const started = unheard(state, { type: 'speech-started', onsetAtMs: 5_950, ...at });
    expect(started?.caller.mute).toEqual({ isSpeaking: true });
    const tail = { pitchChangeSt: null, levelChangeDb: 0, lastVoicedMs: 0 };
    const ended = unheard(state, { type: 'speech-ended', lastSpeechAtMs: 5_990, tail, ...at });
    expect(ended?.caller.mute).toEqual({ isSpeaking: false });
  });

  it.each<ConversationEvent>([
    { type: 'speech-suspected', ...at },
    { type: 'speech-dismissed', ...at },
    { type: 'speech-paused', lastSpeechAtMs: 5_990, ...at },
    { type: 'speech-resumed', ...at },
    { type: 'stt-partial', part: null, text: 'hello', ...at },
    { type: 'stt-final', part: null, text: 'hello', ...at },
    { type: 'turn-judged', judgment: 'turn-ended', ...at },
  ])('ignores $type', (event) => {
    expect(unheard(state, event)).toBe(state);
  });

  it('accepts the recognizer’s answer about the words before the mute', () => {
    const waiting = { ...state, userTurn: { ...state.userTurn, awaited: [4] } };
    expect(unheard(waiting, { type: 'stt-finalized', part: 4, ...at })?.userTurn.awaited).toEqual([]);
  });

  it.each<ConversationEvent>([
    { type: 'dtmf', digit: '1', ...at },
    { type: 'llm-done', generation: 1, ...at },
    { type: 'leg-ended', reason: 'user_hangup', error: null, ...at },
  ])('does not handle $type', (event) => {
    expect(unheard(state, event)).toBeNull();
  });
});
