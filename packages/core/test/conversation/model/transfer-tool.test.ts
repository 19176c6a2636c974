import { describe, expect, it } from 'vitest';
import { transferCalled, transferTool } from '../../../src/conversation/model/transfer-tool.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import { emptyLedger, enter } from '../../../src/conversation/state/tools/tool-ledger.ts';
import type { TransferCallTool } from '../../../src/domain/agents/tools/tool.ts';
import { effects, openConversation, replied, said, thinkingTurn } from '../../support/conversation-state.ts';

const sales = { type: 'number', number: '+31205550100', description: 'Sales' } as const;
const desk = { type: 'sip', number: 'sip:desk@example.com', mode: 'warm', send_digits: 'ww204' } as const;
const tool: TransferCallTool = { type: 'transferCall', destinations: [sales, desk] };

/** A conversation whose model calls the tool in its reply, after some text. */
function calling(args: string, changes: Partial<ConversationState> = {}, text = 'One moment.') {
  const call = { id: 'call-1', name: 'transferCall', arguments: args };
  const entries = [said('Sales, please'), replied(text, { heard: '', toolCalls: [call] })];
  const state = openConversation({
    entries,
    tools: enter(emptyLedger, call),
    agentTurn: thinkingTurn(1),
    ...changes,
  });
  const { emit, emitted } = effects();
  const run = (of: TransferCallTool = tool, before = state): ConversationState =>
    transferCalled(before, of, { call, generation: 1, atMs: 0 }, emit);
  return { state, run, emitted };
}

function errorOf(state: ConversationState): string | null {
  const outcome = state.tools.get('call-1')?.outcome;
  return outcome?.ok === false ? outcome.error : null;
}

describe('transferTool', () => {
  it('offers each number once, and lists the destinations with their descriptions', () => {
    const { parameters } = transferTool({ ...tool, destinations: [sales, desk, sales] }, 'transferCall');
    expect(parameters).toMatchObject({
      properties: {
        destination: {
          enum: ['+31205550100', 'sip:desk@example.com'],
          description: 'Whom to. +31205550100: Sales; sip:desk@example.com; +31205550100: Sales',
        },
      },
    });
  });

  it('requires a summary only if a destination is briefed first', () => {
    expect(transferTool(tool, 'transferCall').parameters.required).toEqual(['destination', 'summary']);
    const blind = transferTool({ ...tool, destinations: [sales] }, 'transferCall').parameters;
    expect(blind.required).toEqual(['destination']);
    expect(blind.properties).not.toHaveProperty('summary');
  });
});

describe('transferCalled', () => {
  it('plans the transfer with the settings of the destination, and leaves the tool call open', () => {
    const { run } = calling('{"destination":"sip:desk@example.com","summary":" Jan wants a refund. "}');
    const after = run();
    expect(after.transfer.active).toMatchObject({
      destination: 'sip:desk@example.com',
      mode: 'warm',
      keysOnAnswer: 'ww204',
      callId: 'call-1',
      summary: 'Jan wants a refund.',
    });
    expect(after.tools.get('call-1')?.outcome).toBeNull();
  });

  it('is blind by default, with the reason in place of a missing summary', () => {
    const { run } = calling('{"destination":"+31205550100","summary":" ","reason":"a refund"}');
    expect(run().transfer.active).toMatchObject({ mode: 'blind', keysOnAnswer: null, summary: 'a refund' });
  });

  it.each([
    ['{"destination":"+31999999999"}', 'There is no such destination. There are: +31205550100, sip:desk@example.com'],
    ['{"destination":7}', 'There is no such destination. There are: +31205550100, sip:desk@example.com'],
    ['["+31205550100"]', 'The arguments are not a JSON object.'],
    ['{"destination', 'The arguments are not a JSON object.'],
  ])('refuses the arguments %s', (args, error) => {
    const after = calling(args).run();
    expect([errorOf(after), after.transfer.active]).toEqual([error, null]);
  });

  it('refuses while the call ends, on a line without transfers, and during another transfer', () => {
    const args = '{"destination":"+31205550100"}';
    const ending = { reason: 'agent_hangup', error: null } as const;
    const closing = { kind: 'closing', ending, sinceMs: 0, silentAtMs: null, farewell: null } as const;
    expect(errorOf(calling(args, { phase: closing }).run())).toBe('The call is ending.');
    const { state, run } = calling(args);
    const fixed = { ...state, config: { ...state.config, canTransfer: false } };
    expect(errorOf(run(tool, fixed))).toMatch(/^Calls cannot be transferred on this line/);
    const first = run();
    expect(errorOf(run(tool, first))).toBe('The caller is being transferred already.');
    expect(run(tool, first).transfer).toBe(first.transfer);
  });

  it.each([
    ['the message of the destination', { ...sales, message: 'To sales.' }, 'To sales.'],
    ['the message of the tool', sales, 'Hold the line.'],
  ])('says %s when the model has said nothing', (_what, destination, message) => {
    const { run, emitted } = calling('{"destination":"+31205550100"}', {}, '');
    run({ type: 'transferCall', destinations: [destination], message: 'Hold the line.' });
    expect(emitted.flatMap((effect) => (effect.type === 'speak' ? [effect.text] : []))).toEqual([message]);
  });

  it('leaves out its message when the model has said something itself', () => {
    const { run, emitted } = calling('{"destination":"+31205550100"}');
    run({ ...tool, message: 'Hold the line.' });
    expect(emitted).toEqual([]);
  });
});
