import { calling, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { refusal } from '../../operations/support.ts';
import type { PhoneCall } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';
import {
  control,
  framesOf,
  ringTransferring,
  sales,
  support,
  tools,
  transferring,
} from '../../support/transferring-call.ts';

const { ring, keep } = phoneCalls();

const outputs = (call: PhoneCall, request: number): string[] =>
  (call.llm.requests[request]?.messages ?? []).flatMap(({ role, content }) => (role === 'tool' ? [content] : []));

describe('digits after the answer', () => {
  it('are refused where only the network can transfer, because it does not press keys', async () => {
    const { call, leg } = await ringTransferring(keep);
    await control(call, { destination: sales, send_digits: '204' });
    await call.quiet(1_000);
    expect(leg.transfers).toEqual([]);
    expect(call.notices).toContainEqual({
      type: 'transfer',
      destination: sales,
      mode: 'blind',
      status: 'failed',
      reason: 'digits after the answer need a number with a transfer trunk',
    });
  });
});

describe('a model with transferCall', () => {
  it('receives the destinations with their descriptions, and must give a summary', async () => {
    const { call } = await ringTransferring(keep);
    await call.speak(300);
    await call.quiet(1_500);
    const offered = call.llm.requests[0]?.tools.find(({ name }) => name === 'transferCall');
    expect(offered).toMatchObject({
      description: 'Hands over to a colleague.',
      parameters: {
        properties: {
          destination: {
            type: 'string',
            enum: [sales, support],
            description: `Whom to. ${sales}: Sales: orders and prices; ${support}: Support`,
          },
          reason: { type: 'string' },
          summary: { type: 'string' },
        },
        required: ['destination', 'summary'],
      },
    });
  });

  it('transfers after its message has been played, and the call ends as transferred', async () => {
    const llm = scriptedLlm([transferring(sales), saying('Never said.')]);
    const { call, leg } = await ringTransferring(keep, { llm });
    await call.speak(300);
    await call.quiet(3_500);
    expect(leg.transfers).toMatchObject([{ destination: sales, mode: 'blind', summary: 'wants to order' }]);
    expect(leg.framesBefore).toBe(Math.ceil(framesOf('I put you through to sales.')));
    expect(call.ended).toBeNull();
    leg.settle({ type: 'accepted' });
    await call.quiet(40);
    expect(call.ended).toMatchObject({
      status: 'ended',
      end_reason: 'transferred',
      error: null,
      transfer_destination: sales,
    });
    expect(await call.stored()).toMatchObject({ end_reason: 'transferred', transfer_destination: sales });
    expect(leg.end).toEqual({ cause: 'local-hangup' });
    expect(leg.transfers[0]?.signal.aborted).toBe(false);
    // Excludes the request for the call summary.
    expect(
      llm.requests.filter(({ messages }) => messages[0]?.content === llm.requests[0]?.messages[0]?.content),
    ).toHaveLength(1);
    const events = await call.va.operations.calls.events(call.orgId, call.ended?.id ?? '', {
      lastEventId: null,
      signal: new AbortController().signal,
    });
    const told: unknown[] = [];
    for await (const { type, data } of events ?? []) if (type === 'transfer') told.push(data);
    expect(told).toEqual([
      { destination: sales, mode: 'blind', status: 'started', reason: null },
      { destination: sales, mode: 'blind', status: 'accepted', reason: null },
    ]);
    const result = call.notices.find(({ type }) => type === 'tool-result');
    expect(result).toMatchObject({ outcome: { ok: true } });
    expect(call.notices.filter(({ type }) => type === 'transfer')).toMatchObject([
      { destination: sales, mode: 'blind', status: 'started', reason: null },
      { destination: sales, mode: 'blind', status: 'accepted', reason: null },
    ]);
  });

  it('speaks its own text instead of the message', async () => {
    const llm = scriptedLlm([[...saying('My colleague will help you.'), ...transferring(sales)]]);
    const { call, leg } = await ringTransferring(keep, { llm });
    await call.speak(300);
    await call.quiet(3_500);
    expect(call.tts.utterances).toEqual([['My colleague will help you.']]);
    expect(leg.transfers).toHaveLength(1);
  });

  it('passes its summary to a warm transfer', async () => {
    const llm = scriptedLlm([transferring(support, { summary: 'Jan cannot log in.' })]);
    const { call, leg } = await ringTransferring(keep, { llm });
    await call.speak(300);
    await call.quiet(2_000);
    expect(leg.transfers).toMatchObject([{ destination: support, mode: 'warm', summary: 'Jan cannot log in.' }]);
  });

  it.each([
    ['is refused', { type: 'refused', reason: 'busy' }, 'busy'],
    ['fails', { type: 'failed', message: 'no trunk' }, 'no trunk'],
  ] as const)(
    'receives the reason when the transfer %s, and continues with the caller',
    async (_name, outcome, why) => {
      const llm = scriptedLlm([transferring(sales), saying('They are busy. Can I help?'), saying('Fine.')]);
      const { call, leg } = await ringTransferring(keep, { llm });
      await call.speak(300);
      await call.quiet(4_000);
      leg.settle(outcome);
      await call.quiet(3_000);
      expect(outputs(call, 1)).toEqual([
        JSON.stringify({ error: `The caller could not be transferred to ${sales}: ${why}` }),
      ]);
      expect(call.tts.utterances.at(-1)).toEqual(['They are busy.', 'Can I help?']);
      expect(call.ended).toBeNull();
      await call.speak(600);
      await call.quiet(2_000);
      expect(llm.requests).toHaveLength(3);
      call.incoming.leave();
      await call.quiet(40);
      expect(call.ended).toMatchObject({ end_reason: 'user_hangup', transfer_destination: null });
    },
  );

  it('receives an error when the telephony adapter throws or times out', async () => {
    const first = await ringTransferring(keep, { llm: scriptedLlm([transferring(sales), saying('Sorry.')]) });
    await first.call.speak(300);
    await first.call.quiet(3_500);
    first.leg.fail(new Error('the socket is gone'));
    await first.call.quiet(500);
    expect(outputs(first.call, 1)[0]).toContain('the socket is gone');

    const second = await ringTransferring(keep, { llm: scriptedLlm([transferring(sales), saying('Sorry.')]) });
    await second.call.speak(300);
    await second.call.quiet(62_000);
    expect(second.leg.transfers[0]?.signal.aborted).toBe(false);
    await second.call.quiet(3_000);
    expect(second.leg.transfers[0]?.signal.aborted).toBe(true);
    expect(outputs(second.call, 1)[0]).toContain('nothing within 60 s');
    second.leg.settle({ type: 'accepted' });
    await second.call.quiet(500);
    expect(second.call.ended).toBeNull();
  });

  it.each(['+31209999999', '', undefined])('cannot transfer to an invented destination: %s', async (destination) => {
    const llm = scriptedLlm([calling('transferCall', { destination }), saying('Whom do you want?')]);
    const { call, leg } = await ringTransferring(keep, { llm });
    await call.speak(300);
    await call.quiet(3_000);
    expect(leg.transfers).toEqual([]);
    expect(outputs(call, 1)[0]).toContain('There is no such destination');
    expect(call.tts.utterances).toEqual([['Whom do you want?']]);
  });

  it('receives an error at once, without a message to the caller, when the line cannot transfer', async () => {
    const llm = scriptedLlm([transferring(sales), saying('I will help you myself.')]);
    const call = await ring({
      llm,
      stt: scriptedStt({ turns: ['sales please'] }),
      agent: { llm_config: { provider: 'scripted', tools } },
    });
    await call.speak(300);
    await call.quiet(3_000);
    expect(outputs(call, 1)[0]).toContain('cannot be transferred on this line');
    expect(call.tts.utterances).toEqual([['I will help you myself.']]);
    expect(call.ended).toBeNull();
  });

  it('can run only one transfer at a time, and cannot hang up during it', async () => {
    const both = [
      ...calling('transferCall', { destination: sales }, 'a'),
      ...calling('transferCall', { destination: support }, 'b'),
      ...calling('endCall', {}, 'c'),
    ];
    const { call, leg } = await ringTransferring(keep, { llm: scriptedLlm([both, saying('Sorry.')]) });
    await call.speak(300);
    await call.quiet(4_000);
    expect(leg.transfers.map(({ destination }) => destination)).toEqual([sales]);
    leg.settle({ type: 'refused', reason: 'busy' });
    await call.quiet(500);
    expect(outputs(call, 1)).toEqual([
      expect.stringContaining('busy'),
      expect.stringContaining('being transferred already'),
      expect.stringContaining('being transferred'),
    ]);
    expect(call.ended).toBeNull();
  });
});

describe('a caller during a transfer', () => {
  it('does not stop it by speaking over the message, and is answered when the transfer is refused', async () => {
    const llm = scriptedLlm([transferring(sales), saying('Sorry, they are busy.')]);
    const { call, leg } = await ringTransferring(keep, { llm });
    await call.speak(300);
    await call.quiet(1_300);
    expect(call.agentFrames()).toBeGreaterThan(0);
    await call.speak(900);
    expect(call.notices.map(({ type }) => type)).not.toContain('interrupted');
    await call.quiet(3_000);
    expect(leg.framesBefore).toBe(Math.ceil(framesOf('I put you through to sales.')));
    expect(llm.requests).toHaveLength(1);
    leg.settle({ type: 'refused', reason: 'busy' });
    await call.quiet(500);
    expect(llm.requests[1]?.messages.at(-1)).toEqual({ role: 'user', content: 'no wait' });
    expect(outputs(call, 1)).toHaveLength(1);
  });

  it('aborts it by hanging up', async () => {
    const { call, leg } = await ringTransferring(keep, { llm: scriptedLlm([transferring(sales)]) });
    await call.speak(300);
    await call.quiet(4_000);
    leg.leave();
    await call.quiet(40);
    expect(leg.transfers[0]?.signal.aborted).toBe(true);
    expect(call.ended).toMatchObject({ status: 'ended', end_reason: 'user_hangup', transfer_destination: null });
    expect(call.notices.filter(({ type }) => type === 'tool-result')).toHaveLength(1);
    expect(call.clock.pending).toBe(call.idleTimers);
  });

  it('prevents it by hanging up during the message', async () => {
    const { call, leg } = await ringTransferring(keep, { llm: scriptedLlm([transferring(sales)]) });
    await call.speak(300);
    await call.quiet(1_300);
    leg.leave();
    await call.quiet(3_000);
    expect(leg.transfers).toEqual([]);
    expect(call.ended).toMatchObject({ end_reason: 'user_hangup' });
  });

  it('hears no filler and no silence prompt', async () => {
    const { call } = await ringTransferring(keep, {
      llm: scriptedLlm([transferring(sales)]),
      agent: { speech_config: { filler: { phrases: ['Just a second.'], delay_ms: 500 } } },
    });
    await call.speak(300);
    await call.quiet(30_000);
    expect(call.tts.utterances).toEqual([['I put you through to sales.']]);
  });
});

describe('the transfer command', () => {
  it('speaks its message, transfers, and ends the call as transferred', async () => {
    const { call, leg } = await ringTransferring(keep);
    await call.quiet(100);
    await control(call, { destination: sales, message: 'One moment please.' });
    await call.quiet(3_000);
    expect(leg.framesBefore).toBe(Math.ceil(framesOf('One moment please.')));
    expect(leg.transfers).toMatchObject([{ destination: sales, mode: 'blind', summary: null }]);
    leg.settle({ type: 'accepted' });
    await call.quiet(40);
    expect(call.ended).toMatchObject({ end_reason: 'transferred', transfer_destination: sales });
  });

  it('waits until the agent has finished speaking', async () => {
    const first = 'Welcome to our shop in the harbour.';
    const { call, leg } = await ringTransferring(keep, { agent: { first_message: first } });
    await call.quiet(500);
    await control(call, { destination: sales });
    await call.quiet(800);
    expect(leg.transfers).toHaveLength(0);
    await call.quiet(2_000);
    expect(leg.framesBefore).toBe(Math.ceil(framesOf(first)));
    expect(leg.transfers).toHaveLength(1);
  });

  it('requests a summary from the model for a warm transfer', async () => {
    const llm = scriptedLlm((request) =>
      request.messages[0]?.content.startsWith('You keep the notes')
        ? [800, ...saying('Wants to order.')]
        : saying('All right.'),
    );
    const { call, leg } = await ringTransferring(keep, { llm });
    await call.speak(300);
    await call.quiet(2_500);
    await control(call, { destination: sales, mode: 'warm' });
    await call.quiet(600);
    expect(leg.transfers).toHaveLength(0);
    await call.quiet(1_000);
    expect(leg.transfers).toMatchObject([{ destination: sales, mode: 'warm', summary: 'Wants to order.' }]);
    expect(llm.requests.at(-1)?.messages[1]?.content).toBe('The call:\nCaller: sales please\nAgent: All right.');
  });

  it.each([
    ['fails', [new Error('no notes')]],
    ['takes too long', [30_000]],
  ] as const)('continues without a summary when the request %s', async (_name, reply) => {
    const llm = scriptedLlm([reply]);
    const { call, leg } = await ringTransferring(keep, { llm });
    await call.quiet(100);
    await control(call, { destination: sales, mode: 'warm' });
    await call.quiet(6_000);
    expect(leg.transfers).toMatchObject([{ mode: 'warm', summary: null }]);
    leg.settle({ type: 'accepted' });
    await call.quiet(40);
    expect(call.ended).toMatchObject({ end_reason: 'transferred' });
  });

  it('gives the model the reason when the transfer is refused', async () => {
    const llm = scriptedLlm([saying('Nobody answers there, I am sorry.')]);
    const { call, leg } = await ringTransferring(keep, { llm });
    await call.quiet(100);
    await control(call, { destination: sales });
    await call.quiet(500);
    leg.settle({ type: 'refused', reason: 'no answer' });
    await call.quiet(3_000);
    expect(llm.requests[0]?.messages.at(-1)).toEqual({
      role: 'system',
      content: `The caller could not be transferred to ${sales}: no answer`,
    });
    expect(call.ended).toBeNull();
  });

  it('returns 409 during another transfer, and when the call is ending', async () => {
    const { call, leg } = await ringTransferring(keep);
    await call.quiet(100);
    await control(call, { destination: sales });
    const second = await refusal(control(call, { destination: support }));
    expect([second.status, second.code]).toEqual([409, 'transfer_in_progress']);
    await call.quiet(500);
    leg.settle({ type: 'refused', reason: 'busy' });
    await call.quiet(2_000);
    const { id } = await call.stored();
    await call.va.operations.calls.control(call.orgId, id, { type: 'end-call', message: 'We close now, goodbye.' });
    const third = await refusal(control(call, { destination: support }));
    expect([third.status, third.code]).toEqual([409, 'call_not_active']);
  });

  it('is aborted by end-call', async () => {
    const { call, leg } = await ringTransferring(keep);
    await call.quiet(100);
    await control(call, { destination: sales });
    await call.quiet(500);
    expect(leg.transfers).toHaveLength(1);
    const { id } = await call.stored();
    await call.va.operations.calls.control(call.orgId, id, { type: 'end-call', message: 'Goodbye.' });
    await call.quiet(40);
    expect(leg.transfers[0]?.signal.aborted).toBe(true);
    await call.quiet(3_000);
    expect(call.ended).toMatchObject({ end_reason: 'api_hangup', transfer_destination: null });
  });
});
