import { describe, expect, it } from 'vitest';
import { keysCalled, keysTool, sendKeysWhenSilent } from '../../../src/conversation/model/keys-tool.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import { emptyLedger, enter } from '../../../src/conversation/state/tools/tool-ledger.ts';
import { planTransfer } from '../../../src/conversation/transfer/transfer.ts';
import type { PressKeysTool } from '../../../src/domain/agents/tools/tool.ts';
import { effects, openConversation, speakingAgent } from '../../support/conversation-state.ts';

const tool: PressKeysTool = { type: 'pressKeys', duration_ms: 160 };

function calling(args: string, state = openConversation(), pressing: PressKeysTool = tool) {
  const call = { id: 'call-1', name: 'pressKeys', arguments: args };
  const entered = { ...state, tools: enter(emptyLedger, call) };
  const after = keysCalled(entered, pressing, call, effects().emit);
  const outcome = after.tools.get('call-1')?.outcome ?? null;
  return { keys: after.playout.keys, outcome, error: outcome?.ok === false ? outcome.error : null };
}

describe('keysTool', () => {
  it('uses the description of the agent, and its own by default', () => {
    expect(keysTool({ ...tool, description: 'For the door.' }, 'door')).toMatchObject({
      name: 'door',
      description: 'For the door.',
      parameters: { required: ['keys'] },
    });
    expect(keysTool(tool, 'pressKeys').description).toContain('Presses keys of the phone');
  });
});

describe('keysCalled', () => {
  it('keeps the keys until the agent is silent, and reports them as pressed', () => {
    const { keys, outcome } = calling('{"keys":"1w204#"}');
    expect(keys).toEqual([{ keys: '1w204#', toneMs: 160 }]);
    expect(outcome).toMatchObject({ ok: true });
  });

  it('has tones of 100 ms by default', () => {
    expect(calling('{"keys":"5"}', openConversation(), { type: 'pressKeys' }).keys).toEqual([
      { keys: '5', toneMs: 100 },
    ]);
  });

  it('leaves out spaces and dashes', () => {
    expect(calling('{"keys":"12 34-56"}').keys).toMatchObject([{ keys: '123456' }]);
  });

  it.each([
    ['{"keys":""}', 'keys must be 1 to 100'],
    ['{"keys":"call 5"}', 'keys must be 1 to 100'],
    ['{"keys":5}', 'keys must be 1 to 100'],
    [`{"keys":"${'1'.repeat(101)}"}`, 'keys must be 1 to 100'],
    ['[1]', 'not a JSON object'],
    ['{"keys":', 'not a JSON object'],
  ])('refuses %s', (args, error) => {
    const { keys, error: shown } = calling(args);
    expect(keys).toEqual([]);
    expect(shown).toContain(error);
  });

  it('refuses on a line without keys, and during a transfer', () => {
    expect(calling('{"keys":"1"}', openConversation({}, { canPressKeys: false })).error).toContain('on this line');
    const wish = {
      destination: '+31205550100',
      mode: 'blind',
      keysOnAnswer: null,
      callId: null,
      summary: null,
    } as const;
    expect(calling('{"keys":"1"}', planTransfer(openConversation(), wish)).error).toContain('being transferred');
  });
});

describe('sendKeysWhenSilent', () => {
  const press = (keys: string) => ({ keys, toneMs: 100 });
  const owing = (state: ConversationState): ConversationState => ({
    ...state,
    playout: { ...state.playout, keys: [press('1'), press('22')] },
  });

  it('sends all keys in order, once', () => {
    const { emit, emitted } = effects();
    const after = sendKeysWhenSilent(owing(openConversation()), emit);
    expect(sendKeysWhenSilent(after, emit)).toBe(after);
    expect(emitted).toEqual([
      { type: 'press-keys', ...press('1') },
      { type: 'press-keys', ...press('22') },
    ]);
  });

  it('waits while the agent speaks, and sends nothing after the end', () => {
    const { emit, emitted } = effects();
    const phase = { kind: 'closed', ending: { reason: 'user_hangup', error: null } } as const;
    for (const state of [owing(speakingAgent('One moment.')), owing(openConversation({ phase }))]) {
      expect(sendKeysWhenSilent(state, emit)).toBe(state);
    }
    expect(emitted).toEqual([]);
  });
});
