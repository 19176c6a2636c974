import { describe, expect, it } from 'vitest';
import {
  dropPreemption,
  keepFitting,
  preemptAtMs,
  prepared,
  prepareReply,
} from '../../../src/conversation/agent-turn/preemption.ts';
import type { Preemption, PreparedPart } from '../../../src/conversation/state/agent/reply.ts';
import type { ConversationConfig } from '../../../src/conversation/state/config.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { Effect } from '../../../src/conversation/state/effects.ts';
import {
  callerTurn,
  effects,
  openConversation,
  replied,
  speechOf,
  thinkingTurn,
} from '../../support/conversation-state.ts';

const words = { text: 'Is it open?', wordsAtMs: 5_900, completeness: 'complete' } as const;

/** A caller who paused at 6,000 ms after a question. */
function pausing(
  turn: Parameters<typeof callerTurn>[0] = {},
  changes: Partial<ConversationState> = {},
  config: Partial<ConversationConfig> = {},
): ConversationState {
  const userTurn = callerTurn({ kind: 'ending', lastSpeechAtMs: 6_000, ...words, ...turn });
  return openConversation({ entries: [replied('Hello.')], userTurn, lastId: 3, ...changes }, config);
}

function preparing(state = pausing()) {
  const { emit, emitted } = effects();
  const after = prepareReply(state, emit);
  const started = (): Effect[] => emitted.filter(({ type }) => type === 'start-llm');
  return { after, emit, emitted, started, preemption: after.reply.preemption };
}

const dueReply = { due: { answers: null, toolSteps: 0 }, preemption: null };

describe('preemptAtMs', () => {
  it('is the stable time after the pause, or after the last change of the words', () => {
    expect(preemptAtMs(pausing())).toBe(6_100);
    expect(preemptAtMs(pausing({ wordsAtMs: 6_400 }))).toBe(6_500);
    expect(preemptAtMs(pausing({ kind: 'speaking', pausedAtMs: 6_050 }))).toBe(6_150);
  });

  it.each<[string, ConversationState]>([
    ['while the caller speaks', pausing({ kind: 'speaking' })],
    ['without a turn', pausing({ kind: 'idle' })],
    ['without words', pausing({ text: '' })],
    ['after words that need more', pausing({ completeness: 'unfinished' })],
    ['after the maximum of attempts', pausing({ preemptions: 3 })],
    ['while the agent speaks', pausing({}, { agentTurn: thinkingTurn(0) })],
    ['while a reply is due', pausing({}, { reply: dueReply })],
    ['if the settings forbid it', pausing({}, {}, { speech: speechOf({ preemptive: { enabled: false } }) })],
    ['for a speech-to-speech model', pausing({}, {}, { isRealtime: true })],
    ['for words that are being answered already', preparing().after],
  ])('is null %s', (_when, state) => {
    expect(preemptAtMs(state)).toBeNull();
  });

  it('is set again when the words change', () => {
    const { after } = preparing();
    const changed = { ...after, userTurn: { ...after.userTurn, text: 'Is it open now?' } };
    expect(preemptAtMs(changed)).toBe(6_100);
  });
});

describe('prepareReply', () => {
  it('asks the model as if the words were the whole turn, and leaves the transcript alone', () => {
    const { after, started, preemption } = preparing();
    expect(started()).toMatchObject([{ generation: 4, withTools: true }]);
    const [request] = started();
    expect(request?.type === 'start-llm' && request.messages.at(-1)).toEqual({ role: 'user', content: words.text });
    expect(preemption).toMatchObject({ generation: 4, text: words.text, entries: 1, parts: [], done: false });
    expect(after.entries).toEqual([replied('Hello.')]);
    expect(after.userTurn.preemptions).toBe(1);
    expect(after.latency.prepared).toEqual({ made: 1, used: 0 });
  });

  it('replaces a reply to earlier words', () => {
    const { after, emit, emitted } = preparing();
    const again = prepareReply({ ...after, userTurn: { ...after.userTurn, text: 'Is it open now?' } }, emit);
    expect(again.reply.preemption).toMatchObject({ generation: 5, text: 'Is it open now?' });
    expect(emitted.map(({ type }) => type)).toEqual(['start-llm', 'cancel-llm', 'start-llm']);
  });

  it.each<[string, ConversationState]>([
    ['without words', pausing({ text: '' })],
    ['after the maximum of attempts', pausing({ preemptions: 3 })],
    ['while the agent speaks', pausing({}, { agentTurn: thinkingTurn(0) })],
    ['if the settings forbid it', pausing({}, {}, { speech: speechOf({ preemptive: { enabled: false } }) })],
    ['for words that are being answered already', preparing().after],
  ])('does nothing %s', (_when, state) => {
    const { after, emitted } = preparing(state);
    expect(after).toBe(state);
    expect(emitted).toEqual([]);
  });
});

describe('a prepared reply', () => {
  it('is kept while the words stay, and dropped when they change', () => {
    const { after, emit, emitted } = preparing();
    expect(keepFitting(after, emit)).toBe(after);
    const changed = keepFitting({ ...after, userTurn: { ...after.userTurn, text: 'Is it' } }, emit);
    expect(changed.reply.preemption).toBeNull();
    expect(emitted.at(-1)).toEqual({ type: 'cancel-llm', generation: 4 });
  });

  it('is dropped together with its synthesized clause', () => {
    const { after, emit, preemption } = preparing();
    const said = prepared(after, required(preemption), { type: 'text', text: 'Yes. Until nine.' }, emit);
    const dropping = effects();
    expect(dropPreemption(said, dropping.emit).reply.preemption).toBeNull();
    expect(dropping.emitted).toEqual([{ type: 'cancel-llm', generation: 4 }, { type: 'drop-speech' }]);
  });

  it('emits nothing when it is dropped but there is none', () => {
    const { emit, emitted } = effects();
    const state = pausing();
    expect([dropPreemption(state, emit), keepFitting(state, emit), emitted]).toEqual([state, state, []]);
  });
});

describe('prepared', () => {
  /** Takes output of the model, and returns the state and the clause that is synthesized ahead. */
  function taking(parts: readonly (PreparedPart | null)[], config: Partial<ConversationConfig> = {}) {
    const { after, preemption } = preparing(pausing({}, {}, config));
    const { emit, emitted } = effects();
    const state = parts.reduce<ConversationState>(
      (each, part) => prepared(each, each.reply.preemption ?? required(preemption), part, emit),
      after,
    );
    const ahead = emitted.flatMap((effect) => (effect.type === 'prepare-speech' ? [effect.text] : []));
    return { held: required(state.reply.preemption), ahead, emitted };
  }
  const text = (written: string): PreparedPart => ({ type: 'text', text: written });
  const call = { id: 'call-1', name: 'lookup', arguments: '{}' };

  it('holds the output in order, and runs no tool', () => {
    const parts = [text('One moment. '), { type: 'tool-call', call } as const];
    const { held, emitted } = taking([...parts, null]);
    expect(held).toMatchObject({ parts, done: true });
    expect(emitted.map(({ type }) => type)).toEqual(['prepare-speech']);
  });

  it('synthesizes the first clause as soon as it is whole, and once', () => {
    const { ahead, held } = taking([text('Yes, '), text('we are. Until'), text(' nine. '), null]);
    expect(ahead).toHaveLength(1);
    expect('Yes, we are.'.startsWith(ahead[0] ?? '-')).toBe(true);
    expect(held.isSpeechPrepared).toBe(true);
  });

  it('synthesizes a text without an end when the model has finished', () => {
    expect(taking([text('Until nine')]).ahead).toEqual([]);
    expect(taking([text('Until nine'), null]).ahead).toEqual(['Until nine']);
  });

  it('synthesizes nothing if the settings forbid it, or the reply has no text', () => {
    const speech = speechOf({ preemptive: { speech: false } });
    expect(taking([text('Until nine. '), null], { speech }).ahead).toEqual([]);
    const silent = taking([{ type: 'tool-call', call }, null]);
    expect([silent.ahead, silent.held.isSpeechPrepared]).toEqual([[], false]);
  });
});

function required(preemption: Preemption | null): Preemption {
  if (preemption === null) throw new Error('expected a prepared reply');
  return preemption;
}
