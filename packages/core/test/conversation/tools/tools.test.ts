import { describe, expect, it } from 'vitest';
import type { ConversationConfig } from '../../../src/conversation/state/config.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { ExternalTool } from '../../../src/conversation/state/tools/call-tool.ts';
import {
  emptyLedger,
  enter,
  hasPendingCalls,
  outcomeText,
  pendingCalls,
  settle,
} from '../../../src/conversation/state/tools/tool-ledger.ts';
import { parseArguments } from '../../../src/conversation/tools/arguments.ts';
import { cancelUnwantedTools } from '../../../src/conversation/tools/cancel-unwanted.ts';
import { toolSettled } from '../../../src/conversation/tools/settle-tool.ts';
import { toolSays } from '../../../src/conversation/tools/tool-says.ts';
import {
  callerTurn,
  effects,
  openConversation,
  replied,
  said,
  thinkingTurn,
} from '../../support/conversation-state.ts';

const call = (id: string, name = 'lookup') => ({ id, name, arguments: '{}' });
const running = enter(enter(emptyLedger, call('a')), call('b', 'book'));
const found = { ok: true, result: 'found' } as const;

function toolOf(name: string, cancelOnInterruption: boolean): ExternalTool {
  return {
    type: 'host',
    name,
    description: '',
    parameters: {},
    async: true,
    timeoutMs: 10_000,
    cancelOnInterruption,
  };
}

describe('the ledger of tool calls', () => {
  it('enters a call once', () => {
    expect(enter(running, { ...call('a'), arguments: '{"again":1}' })).toBe(running);
    expect(pendingCalls(running).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('keeps the first outcome of a call, and none of an unknown one', () => {
    const once = settle(running, 'a', found);
    expect(settle(once, 'a', { ok: false, error: 'late' })).toBe(once);
    expect(settle(running, 'x', found)).toBe(running);
    expect(pendingCalls(once).map(({ id }) => id)).toEqual(['b']);
  });

  it('has pending calls until the last one is settled', () => {
    const once = settle(running, 'a', found);
    expect([running, once, settle(once, 'b', found), emptyLedger].map(hasPendingCalls)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it.each([
    [{ ok: true, result: 'plain' }, 'plain'],
    [{ ok: true, result: { seats: 2 } }, '{"seats":2}'],
    [{ ok: true, result: undefined }, 'null'],
    [{ ok: false, error: 'full' }, '{"error":"full"}'],
  ] as const)('writes %j for the model as %s', (outcome, text) => {
    expect(outcomeText(outcome)).toBe(text);
  });
});

describe('parseArguments', () => {
  it.each<[string, Record<string, unknown> | null]>([
    ['{"people":2}', { people: 2 }],
    ['', {}],
    ['  ', {}],
    ['[1]', null],
    ['"text"', null],
    ['null', null],
    ['{"people":', null],
  ])('reads %s', (json, args) => {
    expect(parseArguments(json)).toEqual(args);
  });
});

describe('toolSettled', () => {
  it('reports an outcome, and gives it to a model that keeps the conversation itself', () => {
    const { emit, emitted } = effects();
    const after = toolSettled(openConversation({ tools: running }), 'a', found, emit);
    expect(after.tools.get('a')?.outcome).toEqual(found);
    expect(emitted).toEqual([
      { type: 'notice', notice: { type: 'tool-result', callId: 'a', name: 'lookup', outcome: found } },
      { type: 'tool-output', callId: 'a', output: 'found' },
    ]);
  });

  it.each(['x', 'a'])('ignores a second outcome, and one of an unknown call: %s', (id) => {
    const { emit, emitted } = effects();
    const state = openConversation({ tools: settle(running, 'a', found) });
    expect([toolSettled(state, id, found, emit), emitted]).toEqual([state, []]);
  });
});

describe('cancelUnwantedTools', () => {
  it('cancels the pending tools that allow it', () => {
    const { emit, emitted } = effects();
    const tools = [toolOf('lookup', true), toolOf('book', false)];
    const after = cancelUnwantedTools(openConversation({ tools: running }, { tools }), emit);
    expect(pendingCalls(after.tools).map(({ id }) => id)).toEqual(['b']);
    expect(emitted[0]).toEqual({ type: 'cancel-tool', callId: 'a' });
    expect(after.tools.get('a')?.outcome).toMatchObject({ ok: false });
  });

  it('leaves tools alone that have ended, or that the agent does not have', () => {
    const { emit, emitted } = effects();
    const done = openConversation({ tools: settle(running, 'a', found) }, { tools: [toolOf('lookup', true)] });
    const unknown = openConversation({ tools: running }, { tools: [{ type: 'endCall' }] });
    expect([cancelUnwantedTools(done, emit), cancelUnwantedTools(unknown, emit), emitted]).toEqual([done, unknown, []]);
  });
});

describe('toolSays', () => {
  function says(text: string, changes: Partial<ConversationState> = {}, config: Partial<ConversationConfig> = {}) {
    const entries = [said('A table, please.'), replied('', { heard: '' })];
    const state = openConversation({ entries, tools: running, ...changes }, config);
    const { emit, emitted } = effects();
    const after = toolSays(state, { text, atMs: 4_000 }, emit);
    const texts = emitted.flatMap((effect) => (effect.type === 'speak' ? [effect.text] : []));
    return { state, after, texts };
  }
  const agentTurn = thinkingTurn(1, { llm: null });

  it('speaks within the reply that waits for the tool', () => {
    const { after, texts } = says('I am looking.', { agentTurn });
    expect(texts).toEqual(['I am looking.']);
    expect(after.entries).toHaveLength(2);
    expect(after.entries[1]).toMatchObject({ full: 'I am looking. ' });
  });

  it('speaks as a turn of its own if no reply waits, and with a speech-to-speech model', () => {
    expect(says('I am looking.').after.entries).toHaveLength(3);
    expect(says('I am looking.', { agentTurn }, { isRealtime: true }).after.entries).toHaveLength(3);
  });

  it('is left out while the caller speaks, and without a text', () => {
    for (const { state, after, texts } of [says('Old news.', { userTurn: callerTurn() }), says(' ')]) {
      expect([after, texts]).toEqual([state, []]);
    }
  });
});
