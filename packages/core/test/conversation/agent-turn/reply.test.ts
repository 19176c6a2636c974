import { describe, expect, it } from 'vitest';
import {
  addContextMessage,
  modelDone,
  modelFailed,
  modelText,
  modelToolCall,
  replyWhenFree,
  requestReply,
  say,
  sayFirstMessage,
  sayWithin,
} from '../../../src/conversation/agent-turn/reply.ts';
import type { ActiveAgentTurn } from '../../../src/conversation/state/agent/agent-turn.ts';
import type { ConversationConfig } from '../../../src/conversation/state/config.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { Effect } from '../../../src/conversation/state/effects.ts';
import { emptyLedger, enter, settle } from '../../../src/conversation/state/tools/tool-ledger.ts';
import {
  callerTurn,
  effects,
  heardSpeech,
  openConversation,
  replied,
  said,
  speakingAgent,
  speechOf,
  thinkingTurn,
} from '../../support/conversation-state.ts';

const answers = { lastSpeechAtMs: 3_000, endedAtMs: 3_250, wordsAtMs: 3_100 };
const call = { id: 'call-1', name: 'lookup', arguments: '{}' };

/** A conversation whose model replies with the generation 1. */
function replying(
  turn: Partial<ActiveAgentTurn> = {},
  changes: Partial<ConversationState> = {},
  config: Partial<ConversationConfig> = {},
): ConversationState {
  const entries = [said('Is it open?'), replied('', { heard: '' })];
  return openConversation({ entries, agentTurn: thinkingTurn(1, turn), lastId: 1, ...changes }, config);
}

function turnOf({ agentTurn }: ConversationState): ActiveAgentTurn {
  if (agentTurn.kind !== 'active') throw new Error('expected an active turn of the agent');
  return agentTurn;
}

const requestsIn = (emitted: readonly Effect[]) =>
  emitted.flatMap((effect) => (effect.type === 'start-llm' ? [effect] : []));
const spokenIn = (emitted: readonly Effect[]): string[] =>
  emitted.flatMap((effect) => (effect.type === 'speak' ? [effect.text] : []));

describe('replyWhenFree', () => {
  const owing = requestReply(openConversation({ entries: [said('Is it open?')], lastId: 4 }), answers);

  it('asks the model in a new turn of a silent agent', () => {
    const { emit, emitted } = effects();
    const after = replyWhenFree(owing, 3_300, emit);
    expect(requestsIn(emitted)).toMatchObject([{ generation: 5, withTools: true }]);
    expect(turnOf(after)).toMatchObject({ entry: 1, answers, waitingSinceMs: 3_300, interruptible: true });
    expect([after.reply.due, after.entries.length, after.lastId]).toEqual([null, 2, 5]);
  });

  it.each<[string, ConversationState]>([
    ['no reply is due', openConversation()],
    ['the caller speaks', { ...owing, userTurn: callerTurn() }],
    ['a tool runs', { ...owing, tools: enter(emptyLedger, call) }],
    ['the agent speaks', { ...owing, agentTurn: thinkingTurn(0, { llm: null }) }],
  ])('does nothing while %s', (_when, state) => {
    const { emit, emitted } = effects();
    expect([replyWhenFree(state, 3_300, emit), emitted]).toEqual([state, []]);
  });

  it('continues with the results of tools while the words before them still play', () => {
    const { emit, emitted } = effects();
    const speeches = [heardSpeech('One moment.')];
    const state = requestReply(speakingAgent('One moment.'), null, 2);
    const after = replyWhenFree({ ...state, agentTurn: thinkingTurn(0, { llm: null, speeches }) }, 3_300, emit);
    expect(requestsIn(emitted)).toHaveLength(1);
    expect(turnOf(after)).toMatchObject({ toolSteps: 2, speeches, entry: 1 });
  });

  it('offers no tools after the maximum of steps', () => {
    const { emit, emitted } = effects();
    replyWhenFree({ ...owing, reply: { due: { answers, toolSteps: 5 }, preemption: null } }, 3_300, emit);
    expect(requestsIn(emitted)).toMatchObject([{ withTools: false }]);
  });

  it('uses a reply that was prepared for exactly these words, without a request', () => {
    const preemption = {
      generation: 4,
      text: 'Is it open?',
      entries: 0,
      systemPrompt: owing.config.systemPrompt,
      parts: [],
      done: false,
      isSpeechPrepared: false,
    };
    const asked = (changes: Partial<typeof preemption>): number => {
      const { emit, emitted } = effects();
      const state = { ...owing, reply: { ...owing.reply, preemption: { ...preemption, ...changes } } };
      replyWhenFree(state, 3_300, emit);
      return requestsIn(emitted).length;
    };
    expect(asked({})).toBe(0);
    expect([asked({ text: 'Is it' }), asked({ entries: 1 }), asked({ systemPrompt: [] })]).toEqual([1, 1, 1]);
  });
});

describe('say', () => {
  it('makes an entry and an utterance of its own', () => {
    const { emit, emitted } = effects();
    const after = say(openConversation({ lastId: 4 }), 'Hello.', { interruptible: false, atMs: 1_000 }, emit);
    expect(spokenIn(emitted)).toEqual(['Hello.']);
    expect(after.entries).toEqual([replied('Hello.', { heard: '' })]);
    expect(turnOf(after)).toMatchObject({ interruptible: false, speeches: [{ utterance: 5, entry: 0 }] });
  });

  it('follows the current speech, and leaves it uninterruptible', () => {
    const { emit } = effects();
    const first = say(openConversation(), 'Hello.', { interruptible: false, atMs: 1_000 }, emit);
    const second = say(first, 'Bye.', { interruptible: true, atMs: 1_000 }, emit);
    expect(turnOf(second)).toMatchObject({ interruptible: false, speeches: [{ entry: 0 }, { entry: 1 }] });
  });
});

describe('sayFirstMessage', () => {
  it.each([null, '', '  '])('says nothing without a text: "%s"', (firstMessage) => {
    const { emit, emitted } = effects();
    const state = openConversation({}, { firstMessage });
    expect([sayFirstMessage(state, 0, emit), emitted]).toEqual([state, []]);
  });

  it.each([true, false])('can be interrupted as the settings say: %s', (isInterruptible) => {
    const speech = speechOf({ first_message_interruptible: isInterruptible });
    const { emit, emitted } = effects();
    const after = sayFirstMessage(openConversation({}, { firstMessage: 'Hello.', speech }), 0, emit);
    expect(turnOf(after).interruptible).toBe(isInterruptible);
    expect(emitted[0]).toMatchObject({ type: 'open-utterance', fixed: true });
  });
});

describe('addContextMessage', () => {
  it('adds context, and makes a reply due if one is requested', () => {
    const { emit, emitted } = effects();
    const told = addContextMessage(openConversation(), { text: 'It rains.', wantsReply: false }, emit);
    expect([told.entries, told.reply.due]).toEqual([[{ role: 'system', text: 'It rains.' }], null]);
    expect(addContextMessage(told, { text: 'Say so.', wantsReply: true }, emit).reply.due).toEqual({
      answers: null,
      toolSteps: 0,
    });
    expect(emitted).toHaveLength(2);
  });
});

describe('modelText', () => {
  const text = (state: ConversationState, written: string, atMs: number, emit = effects().emit): ConversationState =>
    modelText(state, { generation: 1, text: written, atMs }, emit);

  it('collects the text in the entry and in one utterance, and notes its first token', () => {
    const { emit, emitted } = effects();
    const after = text(text(replying(), 'We are open. ', 3_500, emit), 'Come', 3_600, emit);
    expect(after.entries[1]).toMatchObject({ full: 'We are open. Come' });
    expect(turnOf(after)).toMatchObject({
      firstTokenAtMs: 3_500,
      llm: { gaveText: true },
      speeches: [{ utterance: 2 }],
    });
    expect(spokenIn(emitted)).toEqual(['We are open.']);
  });

  it('opens another utterance after a filler of the same entry', () => {
    const { emit } = effects();
    const filled = sayWithin(replying(), 'One moment.', 3_400, emit);
    expect(turnOf(text(filled, 'Yes. It is.', 3_500, emit)).speeches).toHaveLength(2);
  });

  it('does not take spaces for text', () => {
    expect(turnOf(text(replying(), ' \n', 3_500)).llm?.gaveText).toBe(false);
  });

  it('is ignored for a cancelled request', () => {
    const state = replying();
    expect(modelText(state, { generation: 9, text: 'Late.', atMs: 3_500 }, effects().emit)).toBe(state);
  });
});

describe('modelToolCall', () => {
  const called = (state: ConversationState, id = call.id, generation = 1) =>
    modelToolCall(state, { generation, call: { ...call, id } });

  it('adds the call to the entry of the reply', () => {
    expect(called(replying())?.state.entries[1]).toMatchObject({ toolCalls: [call] });
  });

  it('drops a repetition within the reply, and calls of a cancelled request', () => {
    const first = called(replying())?.state ?? replying();
    expect([called(first), called(replying(), call.id, 9)]).toEqual([null, null]);
  });

  it('renames an id that an earlier reply has used, and drops a repetition of that call', () => {
    const used = settle(enter(emptyLedger, call), call.id, { ok: true, result: 1 });
    const second = called(replying({}, { tools: used }));
    expect(second?.call.id).toBe('call-1-1');
    expect(called(second?.state ?? replying())).toBeNull();
  });
});

describe('modelDone', () => {
  const done = { generation: 1, atMs: 4_000 };
  const llm = { generation: 1, retried: false, entry: 1, gaveText: true };

  it('ends the reply, whose last words are spoken', () => {
    const { emit, emitted } = effects();
    const spoken = modelText(replying(), { generation: 1, text: 'Until nine', atMs: 3_500 }, emit);
    expect(turnOf(modelDone(spoken, done, emit)).llm).toBeNull();
    expect(spokenIn(emitted)).toEqual(['Until nine']);
  });

  it('asks once more after an empty reply, and not a third time', () => {
    const { emit, emitted } = effects();
    const again = modelDone(replying(), done, emit);
    expect(turnOf(again).llm).toMatchObject({ generation: 2, retried: true });
    const empty = modelDone(again, { generation: 2, atMs: 5_000 }, emit);
    expect([turnOf(empty).llm, requestsIn(emitted).length]).toEqual([null, 1]);
  });

  it('does not ask again in a call that is closing', () => {
    const ending = { reason: 'agent_hangup', error: null } as const;
    const phase = { kind: 'closing', ending, sinceMs: 0, silentAtMs: null, farewell: null } as const;
    expect(turnOf(modelDone(replying({}, { phase }), done, effects().emit)).llm).toBeNull();
  });

  it('makes a reply due after tool calls, with one more step', () => {
    const entries = [said('Is it open?'), replied('', { heard: '', toolCalls: [call] })];
    const after = modelDone(replying({ answers, toolSteps: 1 }, { entries }), done, effects().emit);
    expect(after.reply.due).toEqual({ answers, toolSteps: 2 });
  });

  it('makes no reply due without tool calls, after key presses alone, or after the last step', () => {
    expect(modelDone(replying({ llm }), done, effects().emit).reply.due).toBeNull();
    const keys = { ...call, name: 'pressKeys' };
    const entries = [said('Is it open?'), replied('', { heard: '', toolCalls: [keys] })];
    const tools = settle(enter(emptyLedger, keys), keys.id, { ok: true, result: 'pressed' });
    const pressed = replying({ llm }, { entries, tools }, { tools: [{ type: 'pressKeys' }] });
    expect(modelDone(pressed, done, effects().emit).reply.due).toBeNull();
    const last = replying(
      { llm, toolSteps: 5 },
      { entries: [said('Is it open?'), replied('', { toolCalls: [call] })] },
    );
    expect(modelDone(last, done, effects().emit).reply.due).toBeNull();
  });

  it('makes a reply due after keys that were refused', () => {
    const keys = { ...call, name: 'pressKeys' };
    const entries = [said('Is it open?'), replied('', { heard: '', toolCalls: [keys] })];
    const tools = settle(enter(emptyLedger, keys), keys.id, { ok: false, error: 'not on this line' });
    const refused = replying({ llm }, { entries, tools }, { tools: [{ type: 'pressKeys' }] });
    expect(modelDone(refused, done, effects().emit).reply.due).toMatchObject({ toolSteps: 1 });
  });
});

describe('modelFailed', () => {
  const failure = { generation: 1, retryable: true, atMs: 4_000 };

  it('requests the reply once more after the words so far, in a new entry', () => {
    const { emit, emitted } = effects();
    const spoken = modelText(replying(), { generation: 1, text: 'We are', atMs: 3_500 }, emit);
    const { state, fatal } = modelFailed(spoken, failure, emit);
    expect(fatal).toBe(false);
    expect(turnOf(state)).toMatchObject({ entry: 2, llm: { retried: true } });
    expect(spokenIn(emitted)).toEqual(['We are']);
  });

  it('makes a reply due if the model called tools before it failed', () => {
    const entries = [said('Is it open?'), replied('', { heard: '', toolCalls: [call] })];
    const { emit, emitted } = effects();
    const { state, fatal } = modelFailed(replying({}, { entries }), failure, emit);
    expect([fatal, requestsIn(emitted).length]).toEqual([false, 0]);
    expect(state.reply.due).toMatchObject({ toolSteps: 1 });
  });

  it.each<[string, boolean, ConversationState, typeof failure]>([
    ['an error that repeating does not help', true, replying(), { ...failure, retryable: false }],
    [
      'the second failure',
      true,
      replying({ llm: { generation: 1, retried: true, entry: 1, gaveText: false } }),
      failure,
    ],
    ['a cancelled request', false, replying(), { ...failure, generation: 9, retryable: false }],
  ])('reports whether %s ends the call: %s', (_what, fatal, state, event) => {
    expect(modelFailed(state, event, effects().emit)).toEqual({ state, fatal });
  });
});
