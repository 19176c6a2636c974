import { ScriptedLeg } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { type CommandTarget, executeCommand } from '../../src/calls/execute-command.ts';
import type { ConversationRunner } from '../../src/conversation/runner/runner.ts';
import type { ConversationState } from '../../src/conversation/state/conversation-state.ts';
import {
  type ControlCommand,
  controlCommandSchema,
  type NewControlCommand,
} from '../../src/domain/calls/call-control.ts';
import { refusal } from '../operations/support.ts';
import { openConversation } from '../support/conversation-state.ts';
import { untyped } from '../support/untyped.ts';

/** A live conversation that commands are executed on. */
function live(state: ConversationState = openConversation(), leg: CommandTarget['leg'] = new ScriptedLeg()) {
  const dispatch = vi.fn();
  const setVariables = vi.fn(async () => {});
  const runner: ConversationRunner = untyped({ state, dispatch });
  const run = (written: NewControlCommand): Promise<string> => {
    const command: ControlCommand = controlCommandSchema.parse(written);
    return executeCommand(command, { callId: 'call', runner, leg, setVariables });
  };
  return { dispatch, setVariables, run };
}

const transfer = { type: 'transfer', destination: '+31205550100' } as const;

describe('executeCommand', () => {
  it.each<[NewControlCommand, object]>([
    [
      { type: 'say', content: 'Hello.' },
      { type: 'say', text: 'Hello.', endAfter: false },
    ],
    [
      { type: 'inject-context', content: 'A member.' },
      { type: 'context-injected', text: 'A member.' },
    ],
    [{ type: 'end-call' }, { type: 'end', reason: 'api_hangup', message: null }],
    [
      { type: 'end-call', message: 'Bye.' },
      { type: 'end', reason: 'api_hangup', message: 'Bye.' },
    ],
    [{ type: 'mute-assistant' }, { type: 'mute-changed', isMuted: true }],
    [{ type: 'unmute-assistant' }, { type: 'mute-changed', isMuted: false }],
    [
      transfer,
      { type: 'transfer-asked', destination: '+31205550100', mode: 'blind', keysOnAnswer: null, message: null },
    ],
  ])('passes %o on to the conversation', async (command, event) => {
    const { dispatch, run } = live();
    await run(command);
    expect(dispatch.mock.calls).toEqual([[expect.objectContaining(event)]]);
  });

  it('stores variables', async () => {
    const { dispatch, setVariables, run } = live();
    await run({ type: 'set-variables', variables: { name: 'Jan' } });
    expect(setVariables).toHaveBeenCalledExactlyOnceWith({ name: 'Jan' });
    expect(dispatch).not.toHaveBeenCalled();
  });

  it('sends digits on the leg', async () => {
    const leg = new ScriptedLeg();
    await live(openConversation(), leg).run({ type: 'send-dtmf', digits: '12#', duration_ms: 200 });
    expect(leg.pressed).toEqual([{ digits: '12#', toneMs: 200 }]);
  });

  it('refuses digits on a line that cannot send them, or is not connected', async () => {
    const silent = untyped(Object.assign(new ScriptedLeg(), { sendDtmf: undefined }));
    for (const leg of [silent, null]) {
      const { run } = live(openConversation(), leg);
      expect(await refusal(run({ type: 'send-dtmf', digits: '1' }))).toMatchObject({
        status: 503,
        code: 'unavailable',
      });
    }
  });

  it.each<[string, ConversationState, number, string]>([
    ['on a line without transfers', openConversation({}, { canTransfer: false }), 503, 'unavailable'],
    ['before the call is open', openConversation({ phase: { kind: 'waiting' } }), 409, 'call_not_active'],
    [
      'during another one',
      openConversation({ transfer: { active: untyped({ id: 1 }), completedTo: null } }),
      409,
      'transfer_in_progress',
    ],
  ])('refuses a transfer %s', async (_when, state, status, code) => {
    const { dispatch, run } = live(state);
    expect(await refusal(run(transfer))).toMatchObject({ status, code });
    expect(dispatch).not.toHaveBeenCalled();
  });

  it('refuses what only the agent can do while a person speaks in its place', async () => {
    const state = openConversation();
    const { dispatch, run } = live({ ...state, playout: { ...state.playout, isTakenOver: true } });
    for (const command of [transfer, { type: 'say', content: 'Hello.' } as const]) {
      expect(await refusal(run(command))).toMatchObject({ status: 409, code: 'call_taken_over' });
    }
    expect(dispatch).not.toHaveBeenCalled();
    await run({ type: 'end-call' });
    expect(dispatch).toHaveBeenCalledOnce();
  });
});
