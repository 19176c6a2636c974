import { describe, expect, it } from 'vitest';
import {
  adjustLevel,
  audioArrived,
  audioComplete,
  playoutFinished,
  playoutStarted,
  resumeAgent,
  setPauseQuietSince,
  settleTurn,
  synthesisFailed,
  yieldFloor,
} from '../../../src/conversation/agent-turn/playout.ts';
import type { ActiveAgentTurn, Speech } from '../../../src/conversation/state/agent/agent-turn.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import {
  callerTurn,
  effects,
  heardSpeech,
  openConversation,
  speakingAgent,
  speechOf,
  thinkingTurn,
} from '../../support/conversation-state.ts';

const text = 'We are open until nine. Come in.';

/** An agent with one utterance of 3.2 s, in a turn without a request to the model. */
function agent(speech: Partial<Speech> = {}, turn: Partial<ActiveAgentTurn> = {}): ConversationState {
  const agentTurn = thinkingTurn(0, { llm: null, speeches: [heardSpeech(text, speech)], ...turn });
  return speakingAgent(text, { agentTurn });
}

function turnOf({ agentTurn }: ConversationState): ActiveAgentTurn {
  if (agentTurn.kind !== 'active') throw new Error('expected an active turn of the agent');
  return agentTurn;
}

function speechIn(state: ConversationState, at = 0): Speech {
  const speech = turnOf(state).speeches[at];
  if (speech === undefined) throw new Error('expected an utterance');
  return speech;
}

const unknown = 99;

describe('audio of an utterance', () => {
  it('adds up, and keeps the time of its first part', () => {
    const silent = agent({ receivedMs: 0, firstAudioAtMs: null });
    const first = audioArrived(silent, { utterance: 1, durationMs: 200, atMs: 4_100 });
    const second = audioArrived(first, { utterance: 1, durationMs: 300, atMs: 4_300 });
    expect(speechIn(second)).toMatchObject({ receivedMs: 500, firstAudioAtMs: 4_100 });
  });

  it('ends the playout once it is complete', () => {
    const { emit, emitted } = effects();
    expect(speechIn(audioComplete(agent({ audioDone: false }), 1, emit)).audioDone).toBe(true);
    expect(emitted).toEqual([{ type: 'finish-playout', utterance: 1 }]);
  });

  it('is ignored for an utterance that was cut off', () => {
    const { emit, emitted } = effects();
    const state = agent();
    expect(audioArrived(state, { utterance: unknown, durationMs: 200, atMs: 4_100 })).toBe(state);
    expect(audioComplete(state, unknown, emit)).toBe(state);
    expect(playoutStarted(state, unknown, 4_200, emit)).toBe(state);
    expect(playoutFinished(state, unknown, 4_200, emit)).toBe(state);
    expect(emitted).toEqual([]);
  });
});

describe('playout', () => {
  it('starts the utterance, and reports its text', () => {
    const { emit, emitted } = effects();
    const after = playoutStarted(agent({ started: false, startedAtMs: null }), 1, 4_200, emit);
    expect(speechIn(after)).toMatchObject({ started: true, startedAtMs: 4_200 });
    expect(emitted).toEqual([{ type: 'notice', notice: { type: 'agent-speaking', text } }]);
  });

  it('keeps the time of the first sound of the call', () => {
    const { emit } = effects();
    const first = playoutStarted(agent(), 1, 4_200, emit);
    expect(playoutStarted(first, 1, 9_000, emit).playout.firstSoundAtMs).toBe(4_200);
  });

  it('counts the whole utterance as heard at its end, from which the caller waits', () => {
    const { emit, emitted } = effects();
    const after = playoutFinished(agent(), 1, 7_200, emit);
    expect(after.entries[0]).toMatchObject({ heard: text, interrupted: false });
    expect(speechIn(after).finished).toBe(true);
    expect(turnOf(after).waitingSinceMs).toBe(7_200);
    const spoke = { type: 'agent-spoke', full: text, heard: text, interrupted: false };
    expect(emitted).toEqual([{ type: 'notice', notice: spoke }]);
  });
});

describe('synthesisFailed', () => {
  const failure = { utterance: 1, retryable: true, atMs: 5_000 };

  it('speaks what has no audio in a second utterance', () => {
    const { emit, emitted } = effects();
    const words = [{ text: 'We are open until nine.', startMs: 0, endMs: 1_000 }];
    const { state, fatal } = synthesisFailed(agent({ audioDone: false, receivedMs: 1_000, words }), failure, emit);
    expect(fatal).toBe(false);
    expect(turnOf(state).speeches).toMatchObject([
      { utterance: 1, pushed: 'We are open until nine.', audioDone: true },
      { utterance: 2, pushed: 'Come in.', retried: true, textDone: true },
    ]);
    expect(emitted.map(({ type }) => type)).toEqual(['finish-playout', 'open-utterance', 'speak', 'end-utterance']);
    expect(state.lastId).toBe(2);
  });

  it('leaves the second utterance open while the model still speaks', () => {
    const { emit, emitted } = effects();
    const growing = agent({ audioDone: false, textDone: false, receivedMs: 0, pending: ' It is' });
    const { state } = synthesisFailed(growing, failure, emit);
    expect(speechIn(state, 1)).toMatchObject({ textDone: false, pending: 'It is' });
    expect(emitted.map(({ type }) => type)).not.toContain('end-utterance');
  });

  it.each<[string, ConversationState, typeof failure]>([
    ['an error that repeating does not help', agent(), { ...failure, retryable: false }],
    ['the second failure', agent({ retried: true }), failure],
  ])('is fatal for %s', (_what, state, event) => {
    const { emit, emitted } = effects();
    expect(synthesisFailed(state, event, emit)).toEqual({ state, fatal: true });
    expect(emitted).toEqual([]);
  });

  it('is not fatal for an utterance that was cut off', () => {
    const state = agent();
    const other = { ...failure, utterance: unknown, retryable: false };
    expect(synthesisFailed(state, other, effects().emit)).toEqual({ state, fatal: false });
  });
});

describe('yieldFloor', () => {
  const speaking = (state: ConversationState, turn: Parameters<typeof callerTurn>[0] = {}): ConversationState => ({
    ...state,
    userTurn: callerTurn(turn),
  });

  it('pauses an agent that is heard, until words show what the sound is', () => {
    const { emit, emitted } = effects();
    const after = yieldFloor(speaking(agent()), 5_250, emit);
    expect(turnOf(after).paused).toEqual({ sinceMs: 5_250, quietSinceMs: null });
    expect(after.latency.interruptionsMs).toEqual([250]);
    expect(emitted).toEqual([{ type: 'pause-playout' }, { type: 'notice', notice: { type: 'interrupted' } }]);
  });

  it.each<[string, ConversationState]>([
    ['words have been recognized', speaking(agent(), { text: 'wait' })],
    ['the agent is not heard yet', speaking(agent({ started: false }))],
  ])('cuts the agent off if %s', (_when, state) => {
    const { emit, emitted } = effects();
    expect(yieldFloor(state, 5_250, emit).agentTurn.kind).toBe('silent');
    expect(emitted.map(({ type }) => type)).toContain('clear-playout');
  });

  it('cuts the agent off if the settings have no pause', () => {
    const state = speaking(agent());
    const speech = speechOf({ interruption: { resume_after_ms: 0 } });
    const after = yieldFloor({ ...state, config: { ...state.config, speech } }, 5_250, effects().emit);
    expect(after.agentTurn.kind).toBe('silent');
  });
});

describe('pausing and resuming the agent', () => {
  const paused = agent({}, { paused: { sinceMs: 5_250, quietSinceMs: null } });

  it('resumes the playout, and moves the start of the utterance by the length of the pause', () => {
    const { emit, emitted } = effects();
    const after = resumeAgent(paused, 6_250, emit);
    expect(turnOf(after).paused).toBeNull();
    expect(speechIn(after).startedAtMs).toBe(5_000);
    expect(emitted).toEqual([{ type: 'resume-playout' }, { type: 'notice', notice: { type: 'resumed' } }]);
  });

  it('sets no start for an utterance that has not started', () => {
    const waiting = heardSpeech('Later.', { utterance: 2, started: false, startedAtMs: null });
    const state = agent({}, { paused: { sinceMs: 5_250, quietSinceMs: null }, speeches: [waiting] });
    expect(speechIn(resumeAgent(state, 6_250, effects().emit)).startedAtMs).toBeNull();
  });

  it('records when the noise ended, and forgets it when the noise begins again', () => {
    const quiet = setPauseQuietSince(paused, 6_000);
    expect(turnOf(quiet).paused).toEqual({ sinceMs: 5_250, quietSinceMs: 6_000 });
    expect(turnOf(setPauseQuietSince(quiet, null)).paused?.quietSinceMs).toBeNull();
  });

  it('returns the same state for an agent that is not paused', () => {
    const { emit, emitted } = effects();
    for (const state of [agent(), openConversation()]) {
      expect(resumeAgent(state, 6_000, emit)).toBe(state);
      expect(setPauseQuietSince(state, 6_000)).toBe(state);
    }
    expect(emitted).toEqual([]);
  });
});

describe('adjustLevel', () => {
  it('lowers the voice once while the caller speaks over it, and raises it once afterwards', () => {
    const { emit, emitted } = effects();
    const lowered = adjustLevel({ ...agent(), userTurn: callerTurn() }, 5_100, emit);
    expect(lowered.playout.isLowered).toBe(true);
    expect(adjustLevel(lowered, 5_200, emit)).toBe(lowered);
    const raised = adjustLevel({ ...lowered, userTurn: callerTurn({ kind: 'idle' }) }, 5_300, emit);
    expect(raised.playout.isLowered).toBe(false);
    expect(emitted).toEqual([
      { type: 'set-voice-level', db: -12 },
      { type: 'set-voice-level', db: 0 },
    ]);
  });
});

describe('settleTurn', () => {
  const dueAfterTools = { due: { answers: null, toolSteps: 1 }, preemption: null };

  it('ends the turn when the model has finished and all utterances were played', () => {
    expect(settleTurn(agent({ finished: true })).agentTurn).toEqual({ kind: 'silent' });
  });

  it.each<[string, ConversationState]>([
    ['an utterance plays', agent()],
    ['the model replies', agent({ finished: true }, { llm: thinkingTurn(0).llm })],
    ['its tools have results', { ...agent({ finished: true }), reply: dueAfterTools }],
  ])('keeps the turn while %s', (_when, state) => {
    expect(settleTurn(state)).toBe(state);
  });

  it('ends the turn when the due reply does not continue it, or when the call is closing', () => {
    const state = agent({ finished: true });
    const another = { due: { answers: null, toolSteps: 0 }, preemption: null };
    expect(settleTurn({ ...state, reply: another }).agentTurn.kind).toBe('silent');
    const ending = { reason: 'agent_hangup', error: null } as const;
    const closing = { kind: 'closing', ending, sinceMs: 6_000, silentAtMs: null, farewell: null } as const;
    expect(settleTurn({ ...state, reply: dueAfterTools, phase: closing }).agentTurn.kind).toBe('silent');
  });
});
