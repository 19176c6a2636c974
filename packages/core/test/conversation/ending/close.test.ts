import { describe, expect, it } from 'vitest';
import { close } from '../../../src/conversation/ending/close.ts';
import { wholeConversation } from '../../../src/conversation/state/context-window.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import type { Ending } from '../../../src/conversation/state/phase.ts';
import { emptyLedger, enter, settle } from '../../../src/conversation/state/tools/tool-ledger.ts';
import { planTransfer } from '../../../src/conversation/transfer/transfer.ts';
import { callerTurn, effects, openConversation, said, speakingAgent } from '../../support/conversation-state.ts';

const hangup: Ending = { reason: 'user_hangup', error: null };
const call = { id: 'call-1', name: 'lookup', arguments: '{}' };

function closing(state: ConversationState, ending: Ending = hangup) {
  const { emit, emitted } = effects();
  const after = close(state, ending, emit);
  return { after, emitted, types: emitted.map(({ type }) => type) };
}

describe('close', () => {
  it('hangs up with the ending', () => {
    const { after, emitted } = closing(openConversation());
    expect(after.phase).toEqual({ kind: 'closed', ending: hangup });
    expect(emitted).toEqual([{ type: 'hang-up', ending: hangup }]);
  });

  it('keeps the ending that was decided before, even if its goodbye was cut short', () => {
    const ending: Ending = { reason: 'agent_hangup', error: null };
    const phase = { kind: 'closing', ending, sinceMs: 0, silentAtMs: null, farewell: null } as const;
    expect(closing(openConversation({ phase })).emitted).toEqual([{ type: 'hang-up', ending }]);
  });

  it('does nothing after the end', () => {
    const over = closing(openConversation()).after;
    const { after, emitted } = closing(over, { reason: 'api_hangup', error: null });
    expect([after, emitted]).toEqual([over, []]);
  });

  it('cuts the agent off, and waits for what was heard of it', () => {
    const { after, types } = closing(speakingAgent('We are open until nine.'));
    expect(types).toEqual(['cancel-utterance', 'clear-playout', 'notice', 'hang-up']);
    expect(after.playout.cutOff).toHaveLength(1);
  });

  it('keeps the caller’s unfinished words as a turn', () => {
    const { after, emitted } = closing(openConversation({ userTurn: callerTurn({ text: 'I would like' }) }));
    expect(after.entries).toEqual([said('I would like')]);
    expect(emitted).toContainEqual({ type: 'notice', notice: { type: 'user-turn', text: 'I would like' } });
    expect(after.userTurn.kind).toBe('idle');
  });

  it('makes no turn of speech without words', () => {
    const { after } = closing(openConversation({ userTurn: callerTurn() }));
    expect([after.entries, after.userTurn.kind]).toEqual([[], 'idle']);
  });

  it('settles the tools that still run, and leaves the others alone', () => {
    const other = { ...call, id: 'call-2' };
    const tools = enter(settle(enter(emptyLedger, call), call.id, { ok: true, result: 7 }), other);
    const { after } = closing(openConversation({ tools }));
    expect(after.tools.get('call-1')?.outcome).toEqual({ ok: true, result: 7 });
    expect(after.tools.get('call-2')?.outcome).toEqual({ ok: false, error: 'cancelled: the call ended' });
  });

  it('gives up a transfer, a summary and a prepared reply', () => {
    const state = openConversation({
      context: { ...wholeConversation, summarizing: { generation: 3, sinceMs: 0, to: 1, text: '' } },
      reply: {
        due: null,
        preemption: {
          generation: 4,
          text: '',
          entries: 0,
          systemPrompt: [],
          parts: [],
          done: false,
          isSpeechPrepared: true,
        },
      },
    });
    const wish = {
      destination: '+31205550100',
      mode: 'blind',
      keysOnAnswer: null,
      callId: null,
      summary: null,
    } as const;
    const planned = planTransfer(state, wish);
    const active = planned.transfer.active === null ? null : { ...planned.transfer.active, startedAtMs: 100 };
    const { after, types } = closing({ ...planned, transfer: { ...planned.transfer, active } });
    expect(types).toEqual(['cancel-llm', 'drop-speech', 'cancel-llm', 'cancel-transfer', 'hang-up']);
    expect([after.transfer.active, after.context.summarizing, after.reply.preemption]).toEqual([null, null, null]);
  });

  it('drops the due reply, and the keys that the caller has pressed', () => {
    const { after } = closing(
      openConversation({
        reply: { due: { answers: null, toolSteps: 0 }, preemption: null },
        caller: { ...openConversation().caller, keys: { digits: '12', lastAtMs: 0 } },
      }),
    );
    expect([after.reply.due, after.caller.keys, after.opening.answering]).toEqual([null, null, null]);
  });

  it('ends a take-over', () => {
    const state = openConversation();
    const { after, types } = closing({ ...state, playout: { ...state.playout, isTakenOver: true } });
    expect(types).toEqual(['set-taken-over', 'notice', 'hang-up']);
    expect(after.playout.isTakenOver).toBe(false);
  });
});
