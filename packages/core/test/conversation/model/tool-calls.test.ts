import { describe, expect, it } from 'vitest';
import { offeredTools, toolCalled } from '../../../src/conversation/model/tool-calls.ts';
import type { ConversationConfig } from '../../../src/conversation/state/config.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { CallTool, ExternalTool } from '../../../src/conversation/state/tools/call-tool.ts';
import {
  effects,
  openConversation,
  plannedTransfer,
  replied,
  said,
  thinkingTurn,
} from '../../support/conversation-state.ts';

const lookup: ExternalTool = {
  type: 'function',
  name: 'lookup',
  description: 'Looks up a table.',
  parameters: { type: 'object', properties: {} },
  async: false,
  timeoutMs: 10_000,
  cancelOnInterruption: false,
};
const tools: CallTool[] = [lookup, { type: 'endCall', message: 'Goodbye.' }, { type: 'pressKeys' }];

/** A conversation in which the model replies. */
function replying(changes: Partial<ConversationState> = {}, config: Partial<ConversationConfig> = {}) {
  const entries = [said('Is a table free?'), replied('', { heard: '' })];
  const { emit, emitted } = effects();
  const state = openConversation({ entries, agentTurn: thinkingTurn(1), ...changes }, { tools, ...config });
  const call = (name: string, args = '{}', before = state): ConversationState =>
    toolCalled(before, { generation: 1, call: { id: 'call-1', name, arguments: args }, atMs: 0 }, emit);
  const spoken = (): string[] => emitted.flatMap((effect) => (effect.type === 'speak' ? [effect.text] : []));
  const started = (): unknown[] => emitted.flatMap((effect) => (effect.type === 'run-tool' ? [effect.arguments] : []));
  return { state, call, emitted, spoken, started };
}

function outcomeOf(state: ConversationState): unknown {
  return state.tools.get('call-1')?.outcome;
}

describe('offeredTools', () => {
  it('offers the tools of servers as they are, and the built-in ones under their names', () => {
    expect(offeredTools(tools).map(({ name }) => name)).toEqual(['lookup', 'endCall', 'pressKeys']);
    expect(offeredTools([{ type: 'endCall', name: 'hang_up', description: 'Ends it.' }])).toEqual([
      { name: 'hang_up', description: 'Ends it.', parameters: { type: 'object', properties: {} } },
    ]);
  });
});

describe('toolCalled', () => {
  it('runs a tool with its arguments, and leaves the call open', () => {
    const { call, started } = replying();
    const after = call('lookup', '{"people":2}');
    expect(started()).toEqual([{ people: 2 }]);
    expect(outcomeOf(after)).toBeNull();
  });

  it('runs a tool whose model wrote no arguments at all', () => {
    const { call, started } = replying();
    call('lookup', ' ');
    expect(started()).toEqual([{}]);
  });

  it('accepts an async tool at once', () => {
    const { call, started } = replying({}, { tools: [{ ...lookup, async: true }] });
    expect(outcomeOf(call('lookup'))).toEqual({ ok: true, result: 'accepted' });
    expect(started()).toHaveLength(1);
  });

  it.each([
    ['of an unknown tool', 'search', '{}', 'There is no tool search.'],
    ['with a list of arguments', 'lookup', '[1]', 'The arguments are not a JSON object.'],
    ['with arguments that are cut off', 'lookup', '{"people":', 'The arguments are not a JSON object.'],
  ])('settles a call %s without running it', (_what, name, args, error) => {
    const { call, started } = replying();
    expect(outcomeOf(call(name, args))).toEqual({ ok: false, error });
    expect(started()).toEqual([]);
  });

  it('runs no more tools in a turn that has reached its limit', () => {
    const { call, started } = replying({ agentTurn: thinkingTurn(1, { toolSteps: 5 }) });
    expect(outcomeOf(call('lookup'))).toEqual({ ok: false, error: 'Too many tool calls in one turn.' });
    expect(started()).toEqual([]);
  });

  it('ignores a call of a reply that was cancelled, and a repeated one', () => {
    const { state, call, emitted } = replying();
    const silent = { ...state, agentTurn: { kind: 'silent' } } as const;
    expect(call('lookup', '{}', silent)).toBe(silent);
    const after = call('lookup');
    const count = emitted.length;
    expect(call('lookup', '{}', after)).toBe(after);
    expect(emitted).toHaveLength(count);
  });

  it('runs no tool once the agent has only its farewell left to say', () => {
    const ending = { reason: 'budget_exceeded', error: null } as const;
    const closing = { kind: 'closing', ending, sinceMs: 0, silentAtMs: null, farewell: 'Goodbye.' } as const;
    const { call, started } = replying({ phase: closing });
    expect(outcomeOf(call('lookup'))).toEqual({ ok: false, error: 'cancelled: the call is ending' });
    expect(started()).toEqual([]);
  });

  it('ends the call, and says the goodbye of the tool only if the model said none', () => {
    const quiet = replying();
    expect(quiet.call('endCall').phase).toMatchObject({ kind: 'closing', ending: { reason: 'agent_hangup' } });
    expect(quiet.spoken()).toEqual(['Goodbye.']);
    const polite = replying({ entries: [said('Bye'), replied('See you.', { heard: '' })] });
    polite.call('endCall');
    expect(polite.spoken()).toEqual([]);
  });

  it('does not end a call whose caller is being transferred', () => {
    const after = replying({ transfer: plannedTransfer }).call('endCall');
    expect(after.phase.kind).toBe('open');
    expect(outcomeOf(after)).toEqual({ ok: false, error: 'The caller is being transferred.' });
  });

  it('says the message of a tool while it runs, but not with a speech-to-speech model', () => {
    const told = [{ ...lookup, message: 'Let me see.' }];
    const one = replying({}, { tools: told });
    one.call('lookup');
    expect(one.spoken()).toEqual(['Let me see.']);
    const other = replying({}, { tools: told, isRealtime: true });
    other.call('lookup');
    expect([other.spoken(), other.started()]).toEqual([[], [{}]]);
  });

  it.each([
    ['1 2-3', '123'],
    ['ww12#', 'ww12#'],
  ])('keeps the keys "%s" of a menu until the agent is silent', (keys, pressed) => {
    const { call, emitted } = replying();
    const after = call('pressKeys', JSON.stringify({ keys }));
    expect(after.playout.keys).toEqual([{ keys: pressed, toneMs: 100 }]);
    expect(outcomeOf(after)).toMatchObject({ ok: true });
    expect(emitted.some(({ type }) => type === 'press-keys')).toBe(false);
  });

  it.each(['', 'call me', '1'.repeat(101)])('refuses the keys "%s"', (keys) => {
    const after = replying().call('pressKeys', JSON.stringify({ keys }));
    expect(after.playout.keys).toEqual([]);
    expect(outcomeOf(after)).toMatchObject({ ok: false });
  });
});
