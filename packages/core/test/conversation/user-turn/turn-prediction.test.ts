import { describe, expect, it } from 'vitest';
import { idleUserTurn, type UserTurn } from '../../../src/conversation/state/caller/user-turn.ts';
import type { ConversationConfig } from '../../../src/conversation/state/config.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import {
  askTurnModel,
  keepPrediction,
  turnModelAtMs,
  turnPredicted,
} from '../../../src/conversation/user-turn/turn-prediction.ts';
import { effects, openConversation } from '../../support/conversation-state.ts';

/** A conversation whose caller paused at 1,000 ms. */
function paused(turn: Partial<UserTurn> = {}, config: Partial<ConversationConfig> = {}): ConversationState {
  const userTurn: UserTurn = {
    ...idleUserTurn,
    kind: 'ending',
    voiced: true,
    startedAtMs: 200,
    lastSpeechAtMs: 1_000,
    text: 'a table',
    wordsAtMs: 900,
    ...turn,
  };
  return openConversation({ userTurn }, { turnModel: { usesText: true }, ...config });
}

function withTurn(state: ConversationState, turn: Partial<UserTurn>): ConversationState {
  return { ...state, userTurn: { ...state.userTurn, ...turn } };
}

describe('turnModelAtMs', () => {
  it('asks after 150 ms of silence', () => {
    expect(turnModelAtMs(paused())).toBe(1_150);
    expect(turnModelAtMs(paused({ kind: 'speaking', pausedAtMs: 1_010 }))).toBe(1_150);
  });

  it.each([
    ['while the caller speaks', paused({ kind: 'speaking' })],
    ['without detected speech', paused({ voiced: false })],
    ['without a turn', openConversation({}, { turnModel: { usesText: true } })],
    ['without a turn model', paused({}, { turnModel: null })],
    ['if the recognizer judges turns', paused({}, { judgesTurns: true })],
  ])('does not ask %s', (_when, state) => {
    expect(turnModelAtMs(state)).toBeNull();
  });

  it('asks once more when the words change after the answer', () => {
    const { emit } = effects();
    const asked = askTurnModel(paused(), emit);
    expect(turnModelAtMs(withTurn(asked, { text: 'a table for two' }))).toBeNull();
    const answered = turnPredicted(asked, { request: asked.lastId, probability: 0.4 });
    expect(turnModelAtMs(answered)).toBeNull();
    expect(turnModelAtMs(withTurn(answered, { text: 'a table for two', wordsAtMs: 1_400 }))).toBe(1_400);
  });

  it('does not ask again about words that the model does not use', () => {
    const asked = askTurnModel(paused({}, { turnModel: { usesText: false } }), effects().emit);
    const answered = turnPredicted(asked, { request: asked.lastId, probability: 0.4 });
    expect(turnModelAtMs(withTurn(answered, { text: 'a table for two' }))).toBeNull();
  });

  it('asks at most 20 times in a turn', () => {
    const state = paused();
    expect(turnModelAtMs({ ...state, prediction: { current: null, requests: 19 } })).toBe(1_150);
    expect(turnModelAtMs({ ...state, prediction: { current: null, requests: 20 } })).toBeNull();
  });
});

describe('askTurnModel', () => {
  it('sends the words and the start of the turn', () => {
    const { emit, emitted } = effects();
    const asked = askTurnModel(paused(), emit);
    expect(emitted).toEqual([{ type: 'ask-turn-model', request: 1, text: 'a table', sinceMs: 200 }]);
    expect(asked.prediction).toMatchObject({ current: { request: 1, isPending: true }, requests: 1 });
  });
});

describe('turnPredicted', () => {
  it('ignores the answer to an earlier request', () => {
    const asked = askTurnModel(paused(), effects().emit);
    expect(turnPredicted(asked, { request: asked.lastId + 1, probability: 0.9 })).toBe(asked);
    const idle = paused();
    expect(turnPredicted(idle, { request: 0, probability: 0.9 })).toBe(idle);
  });
});

describe('keepPrediction', () => {
  it('cancels a request and drops its pause when the caller goes on, but keeps the count', () => {
    const { emit, emitted } = effects();
    const after = keepPrediction(withTurn(askTurnModel(paused(), emit), { kind: 'speaking' }), emit);
    expect(emitted.at(-1)).toEqual({ type: 'cancel-turn-model', request: 1 });
    expect(after.prediction).toEqual({ current: null, requests: 1 });
  });

  it('cancels nothing when the answer has come', () => {
    const { emit, emitted } = effects();
    const answered = turnPredicted(askTurnModel(paused(), emit), { request: 1, probability: 0.4 });
    expect(keepPrediction(withTurn(answered, { kind: 'speaking' }), emit).prediction.current).toBeNull();
    expect(emitted.some(({ type }) => type === 'cancel-turn-model')).toBe(false);
  });

  it('resets the count with the turn', () => {
    const { emit } = effects();
    const asked = askTurnModel(paused(), emit);
    expect(keepPrediction({ ...asked, userTurn: idleUserTurn }, emit).prediction).toEqual({
      current: null,
      requests: 0,
    });
  });

  it('returns the same state while the pause goes on', () => {
    const { emit } = effects();
    const asked = askTurnModel(paused(), emit);
    expect(keepPrediction(asked, emit)).toBe(asked);
  });
});
