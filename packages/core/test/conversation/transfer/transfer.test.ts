import { describe, expect, it } from 'vitest';
import type { ConversationConfig } from '../../../src/conversation/state/config.ts';
import type { ConversationState } from '../../../src/conversation/state/conversation-state.ts';
import { emptyLedger, enter } from '../../../src/conversation/state/tools/tool-ledger.ts';
import type { Transfer } from '../../../src/conversation/state/transfer.ts';
import { endBriefing, giveUpTransfer, settleCall } from '../../../src/conversation/transfer/give-up.ts';
import {
  adjustHold,
  briefingTold,
  noteDrained,
  planTransfer,
  transferAsked,
  transferAtMs,
  transferDue,
  transferSettled,
} from '../../../src/conversation/transfer/transfer.ts';
import type { TransferOutcome } from '../../../src/ports/telephony.ts';
import {
  effects,
  heardSpeech,
  openConversation,
  said,
  speakingAgent,
  speechOf,
  thinkingTurn,
} from '../../support/conversation-state.ts';

const destination = '+31205550100';
const wish = { destination, mode: 'warm', keysOnAnswer: 'ww204', callId: null, summary: null } as const;
const call = { id: 'call-1', name: 'transferCall', arguments: '{}' };
const asked = { type: 'transfer-asked', destination, mode: 'blind', keysOnAnswer: null, message: null } as const;

/** A conversation with a transfer of the id 1. */
function transferring(
  transfer: Partial<Transfer> = {},
  changes: Partial<ConversationState> = {},
  config: Partial<ConversationConfig> = {},
): ConversationState {
  const planned = planTransfer(openConversation({ entries: [said('Sales, please.')], ...changes }, config), wish);
  const { active } = planned.transfer;
  return { ...planned, transfer: { ...planned.transfer, active: active === null ? null : { ...active, ...transfer } } };
}

function activeOf({ transfer: { active } }: ConversationState): Transfer {
  if (active === null) throw new Error('expected a transfer');
  return active;
}

const briefing = { generation: 2, text: '', sinceMs: 1_000 };

describe('transferAsked', () => {
  const ask = (state: ConversationState, changes: Partial<Omit<typeof asked, 'type'>> | object = {}) => {
    const { emit, emitted } = effects();
    return { after: transferAsked(state, { ...asked, atMs: 1_000, ...changes }, emit), emitted };
  };

  it('plans the transfer after its message', () => {
    const { after, emitted } = ask(openConversation(), { message: 'I connect you.', keysOnAnswer: '9' });
    expect(activeOf(after)).toMatchObject({ destination, mode: 'blind', keysOnAnswer: '9', callId: null });
    expect(emitted).toContainEqual({ type: 'speak', utterance: 2, text: 'I connect you.' });
  });

  it('asks the model for a summary of a warm transfer, without tools', () => {
    const { after, emitted } = ask(openConversation({ entries: [said('Sales.')] }), { mode: 'warm' });
    expect(emitted).toMatchObject([{ type: 'start-llm', withTools: false }]);
    expect(activeOf(after).briefing).toEqual({ generation: 2, text: '', sinceMs: 1_000 });
  });

  it('asks no speech-to-speech model for a summary', () => {
    const { after, emitted } = ask(openConversation({}, { isRealtime: true }), { mode: 'warm' });
    expect([activeOf(after).briefing, emitted]).toEqual([null, []]);
  });

  it.each<[string, ConversationState]>([
    ['during another transfer', transferring()],
    ['on a line that cannot transfer', openConversation({}, { canTransfer: false })],
  ])('is ignored %s', (_when, state) => {
    const { after, emitted } = ask(state);
    expect([after, emitted]).toEqual([state, []]);
  });
});

describe('briefingTold', () => {
  const event = { generation: 2, atMs: 1_500 };
  const told = (text: string): ConversationState =>
    briefingTold(transferring({ briefing }), { type: 'llm-text', text, ...event });

  it('collects the summary until the model has finished', () => {
    const second = briefingTold(told(' Jan '), { type: 'llm-text', text: 'calls. ', ...event });
    expect(activeOf(second).summary).toBeNull();
    const done = activeOf(briefingTold(second, { type: 'llm-done', ...event }));
    expect(done).toMatchObject({ briefing: null, summary: 'Jan calls.' });
  });

  it('keeps what a failed model has written, and nothing of an empty text', () => {
    const failed = { type: 'llm-failed', retryable: false, message: 'lost', ...event } as const;
    expect(activeOf(briefingTold(told('Jan'), failed)).summary).toBe('Jan');
    expect(activeOf(briefingTold(told(' '), failed)).summary).toBeNull();
  });

  it('ignores tool calls, and events without a summary', () => {
    const state = transferring({ briefing });
    expect(briefingTold(state, { type: 'llm-tool-call', call, ...event })).toBe(state);
    const unbriefed = transferring();
    expect(briefingTold(unbriefed, { type: 'llm-done', ...event })).toBe(unbriefed);
  });
});

describe('noteDrained', () => {
  it('records since when the agent has nothing left to say', () => {
    expect(activeOf(noteDrained(transferring(), 2_000)).silentAtMs).toBe(2_000);
    const silent = transferring({ silentAtMs: 2_000 });
    expect(noteDrained(silent, 3_000)).toBe(silent);
  });

  it.each<[string, Partial<ConversationState>]>([
    ['the model replies', { agentTurn: thinkingTurn(0) }],
    ['the agent speaks', { agentTurn: thinkingTurn(0, { llm: null, speeches: [heardSpeech('Hello.')] }) }],
  ])('records nothing while %s', (_when, changes) => {
    const state = transferring({}, changes);
    expect(noteDrained(state, 2_000)).toBe(state);
    expect(activeOf(noteDrained(transferring({ silentAtMs: 1_500 }, changes), 2_000)).silentAtMs).toBeNull();
  });

  it('waits for the report of speech that was cut off', () => {
    const state = transferring();
    const cut = { ...state, playout: { ...state.playout, cutOff: [heardSpeech('Hello.')] } };
    expect(noteDrained(cut, 2_000)).toBe(cut);
  });

  it('counts an agent whose utterances are all played as silent', () => {
    const speeches = [heardSpeech('Hello.', { finished: true })];
    const state = transferring({}, { agentTurn: thinkingTurn(0, { llm: null, speeches }) });
    expect(activeOf(noteDrained(state, 2_000)).silentAtMs).toBe(2_000);
  });

  it('records nothing once the transfer has started', () => {
    const started = transferring({ startedAtMs: 1_000 });
    expect(noteDrained(started, 2_000)).toBe(started);
  });
});

describe('transferAtMs', () => {
  it.each<[string, Partial<Transfer>, number | null]>([
    ['never while the agent speaks', {}, null],
    ['300 ms after its last words', { silentAtMs: 2_000 }, 2_300],
    ['5 s after the request for the summary at the latest', { silentAtMs: 2_000, briefing }, 6_000],
    ['after words that outlast the summary', { silentAtMs: 9_000, briefing }, 9_300],
    ['60 s after its start, as a timeout', { silentAtMs: 2_000, startedAtMs: 2_300 }, 62_300],
  ])('is %s', (_when, transfer, atMs) => {
    expect(transferAtMs(transferring(transfer))).toBe(atMs);
  });

  it('is null without a transfer', () => {
    expect(transferAtMs(openConversation())).toBeNull();
  });
});

describe('transferDue', () => {
  it('asks the telephony, with the summary as far as it is written', () => {
    const { emit, emitted } = effects();
    const after = transferDue(transferring({ briefing: { ...briefing, text: ' Jan ' } }), 2_300, emit);
    expect(emitted).toEqual([
      { type: 'cancel-llm', generation: 2 },
      { type: 'transfer', id: 1, destination, mode: 'warm', keysOnAnswer: 'ww204', summary: 'Jan' },
      { type: 'notice', notice: { type: 'transfer', destination, mode: 'warm', status: 'started', reason: null } },
    ]);
    expect(activeOf(after)).toMatchObject({ startedAtMs: 2_300, briefing: null, summary: 'Jan' });
  });

  it('prefers the summary that is complete, and has none without a text', () => {
    const summaryOf = (transfer: Partial<Transfer>): string | null =>
      activeOf(transferDue(transferring(transfer), 2_300, effects().emit)).summary;
    expect(summaryOf({ summary: 'A refund.', briefing: { ...briefing, text: 'Jan' } })).toBe('A refund.');
    expect(summaryOf({ briefing: { ...briefing, text: ' ' } })).toBeNull();
  });

  it('fails a transfer without an outcome, and tells the model', () => {
    const { emit, emitted } = effects();
    const after = transferDue(transferring({ startedAtMs: 2_300 }), 62_300, emit);
    expect(emitted[0]).toEqual({ type: 'cancel-transfer', id: 1 });
    expect([after.transfer.active, after.reply.due]).toEqual([null, { answers: null, toolSteps: 0 }]);
    expect(after.entries.at(-1)).toMatchObject({
      role: 'system',
      text: expect.stringContaining('nothing within 60 s'),
    });
  });
});

describe('transferSettled', () => {
  function settled(state: ConversationState, outcome: TransferOutcome, id = 1) {
    const { emit, emitted } = effects();
    return { ...transferSettled(state, { id, outcome }, emit), emitted };
  }
  const refused = { type: 'refused', reason: 'busy' } as const;

  it('ends the conversation after a successful one', () => {
    const { state, ending } = settled(transferring({ startedAtMs: 2_300 }), { type: 'accepted' });
    expect(ending).toEqual({ reason: 'transferred', error: null });
    expect(state.transfer).toEqual({ active: null, completedTo: destination });
  });

  it.each<[TransferOutcome, string]>([
    [refused, 'busy'],
    [{ type: 'failed', message: 'no route' }, 'no route'],
  ])('goes on, and tells the model why: %j', (outcome, reason) => {
    const { state, ending, emitted } = settled(transferring({ startedAtMs: 2_300 }), outcome);
    expect([ending, state.transfer]).toEqual([null, { active: null, completedTo: null }]);
    expect(emitted[0]).toMatchObject({ type: 'notice', notice: { status: outcome.type, reason } });
    const text = `The caller could not be transferred to ${destination}: ${reason}`;
    expect(state.entries.at(-1)).toEqual({ role: 'system', text });
  });

  it('is the result of the model’s tool call, which is then answered', () => {
    const tools = enter(emptyLedger, call);
    const failed = settled(transferring({ callId: call.id }, { tools }), refused).state;
    expect(failed.tools.get(call.id)?.outcome).toMatchObject({ ok: false, error: expect.stringContaining('busy') });
    expect(failed.reply.due).toEqual({ answers: null, toolSteps: 0 });
    const accepted = settled(transferring({ callId: call.id }, { tools }), { type: 'accepted' }).state;
    expect(accepted.tools.get(call.id)?.outcome).toMatchObject({ ok: true });
  });

  it('keeps the reply that is due already', () => {
    const due = { answers: null, toolSteps: 3 };
    const state = transferring(
      { callId: call.id },
      { tools: enter(emptyLedger, call), reply: { due, preemption: null } },
    );
    expect(settled(state, refused).state.reply.due).toBe(due);
  });

  it('is ignored for another transfer', () => {
    const state = transferring();
    const { emitted, ...result } = settled(state, { type: 'accepted' }, 7);
    expect([result, emitted]).toEqual([{ state, ending: null }, []]);
  });
});

describe('adjustHold', () => {
  const speech = speechOf({ hold: { clip: 'waltz' } });

  it('plays music from the start of the transfer to its outcome', () => {
    const { emit, emitted } = effects();
    const planned = transferring({}, {}, { speech });
    expect(adjustHold(planned, emit)).toBe(planned);
    const held = adjustHold(transferring({ startedAtMs: 2_300 }, {}, { speech }), emit);
    expect(held.playout.isOnHold).toBe(true);
    expect(adjustHold(held, emit)).toBe(held);
    const over = adjustHold({ ...held, transfer: { active: null, completedTo: null } }, emit);
    expect(over.playout.isOnHold).toBe(false);
    expect(emitted).toEqual([
      { type: 'set-hold', isOnHold: true },
      { type: 'set-hold', isOnHold: false },
    ]);
  });

  it('plays nothing without a clip, or after the end', () => {
    const { emit, emitted } = effects();
    const phase = { kind: 'closed', ending: { reason: 'user_hangup', error: null } } as const;
    for (const state of [
      transferring({ startedAtMs: 2_300 }),
      transferring({ startedAtMs: 2_300 }, { phase }, { speech }),
    ]) {
      expect(adjustHold(state, emit)).toBe(state);
    }
    expect(emitted).toEqual([]);
  });
});

describe('giveUpTransfer', () => {
  it('cancels a started transfer and its summary, and settles the tool call', () => {
    const { emit, emitted } = effects();
    const tools = enter(emptyLedger, call);
    const state = transferring({ startedAtMs: 2_300, briefing, callId: call.id }, { tools });
    const after = giveUpTransfer(state, emit);
    expect(emitted.slice(0, 2)).toEqual([
      { type: 'cancel-llm', generation: 2 },
      { type: 'cancel-transfer', id: 1 },
    ]);
    expect(after.transfer.active).toBeNull();
    expect(after.tools.get(call.id)?.outcome).toEqual({ ok: false, error: 'cancelled: the call ends' });
  });

  it('cancels nothing at the telephony before the start, and does nothing without a transfer', () => {
    const { emit, emitted } = effects();
    expect(giveUpTransfer(transferring(), emit).transfer.active).toBeNull();
    const state = speakingAgent('Hello.');
    expect([giveUpTransfer(state, emit), endBriefing(state, emit), emitted]).toEqual([state, state, []]);
  });

  it('settles no call of a transfer that the model did not start', () => {
    const { emit, emitted } = effects();
    const state = transferring();
    expect([settleCall(state, null, 'late', emit), emitted]).toEqual([state, []]);
  });
});
