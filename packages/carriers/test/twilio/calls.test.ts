import { once } from 'node:events';
import { calling, saying } from '@va/testkit';
import { twilioSignature } from '@va/testkit/carrier-servers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { agentNumber, heardText, msPerLetter, TwilioService, type TwilioServiceOptions } from './service.ts';

let service: TwilioService | null = null;
afterEach(async () => {
  await service?.close();
  service = null;
});

async function start(options: TwilioServiceOptions = {}): Promise<TwilioService> {
  service = await TwilioService.start(options);
  return service;
}

const endCall = { llm_config: { provider: 'scripted', tools: [{ type: 'endCall' as const }] } };

describe('an inbound call over Twilio', () => {
  it('is answered, and the caller and the agent talk', async () => {
    const running = await start({ turns: ['A table, please.'], replies: [saying('For how many?')] });
    const call = await running.call();
    await running.silence(call, () => heardText(call).includes('Good evening.'));
    await running.speak(call, 600);
    await running.silence(call, () => heardText(call).endsWith('For how many?'));
    call.hangUp();
    const record = await running.lastCall();
    expect(record).toMatchObject({
      status: 'ended',
      end_reason: 'user_hangup',
      caller_phone: '+31610000000',
      assistant_phone: agentNumber,
      messages: [
        { role: 'assistant', content: 'Good evening.' },
        { role: 'user', content: 'A table, please.' },
        { role: 'assistant', content: 'For how many?' },
      ],
    });
  });

  it('is hung up after the last word was heard', async () => {
    const running = await start({
      agent: endCall,
      turns: ['Bye.'],
      replies: [[{ type: 'text', text: 'Goodbye, see you soon.' }, calling('endCall')[0]]] as never,
    });
    const call = await running.call();
    await running.silence(call, () => heardText(call).includes('Good evening.'));
    await running.speak(call, 600);
    await running.silence(call, () => call.ended);
    expect(heardText(call)).toBe('Good evening.Goodbye, see you soon.');
    expect((await running.lastCall()).end_reason).toBe('agent_hangup');
  });

  it('is cleared when the caller interrupts, and counts only what was heard', async () => {
    const story = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen.';
    const running = await start({ turns: ['Stop.'], replies: [saying('Yes?')], agent: { first_message: story } });
    const call = await running.call();
    await running.silence(call, () => heardText(call).length > 20);
    await running.speak(call, 700);
    await running.silence(call, () => heardText(call).endsWith('Yes?'));
    expect(call.cleared).toBeGreaterThan(0);
    const heard = heardText(call).slice(0, -'Yes?'.length);
    call.hangUp();
    const { messages } = await running.lastCall();
    const told = messages[0]?.content ?? '';
    expect(story.startsWith(told)).toBe(true);
    expect(Math.abs(told.length - heard.length) * msPerLetter).toBeLessThanOrEqual(200);
  });

  it('keeps little audio queued at Twilio', async () => {
    const running = await start({ agent: { first_message: 'A first message that takes about one second.' } });
    const call = await running.call();
    await running.silence(call, () => heardText(call).endsWith('second.'));
    expect(call.mostQueued * 20).toBeLessThanOrEqual(300);
    expect(call.marks.length).toBeGreaterThanOrEqual(3);
  });

  it('has its stream at the node that took it', async () => {
    const running = await start({ hasOwnAddress: true });
    const call = await running.call();
    await running.silence(call, () => heardText(call).includes('Good evening.'));
    expect(new URL(call.streamUrl).hostname).toBe('localhost');
  });

  it('passes keys on', async () => {
    const running = await start({ replies: [saying('Thank you.')] });
    const call = await running.call();
    await running.silence(call, () => heardText(call).includes('Good evening.'));
    for (const digit of '42#') call.press(digit);
    await running.silence(call, () => heardText(call).endsWith('Thank you.'));
    call.hangUp();
    const { messages } = await running.lastCall();
    expect(messages.some(({ content }) => content.includes('42'))).toBe(true);
  });

  it('goes on when frames are missing', async () => {
    const running = await start({
      turns: ['A table.'],
      replies: [saying('Fine.')],
      server: { faults: { losesEvery: 5 } },
    });
    const call = await running.call();
    await running.silence(call, () => heardText(call).includes('Good evening.'));
    await running.speak(call, 600);
    await running.silence(call, () => heardText(call).endsWith('Fine.'));
    call.hangUp();
    const { media } = await running.lastCall();
    expect(media?.received.packets_lost).toBeGreaterThan(0);
  });

  it('is refused as busy when its agent is not active', async () => {
    const running = await start({ agent: { is_active: false } });
    const call = await running.call();
    expect(call.refused).toBe('rejected');
    expect((await running.lastCall()).end_reason).toBe('rejected_inactive');
  });

  it('is transferred blindly by the API, and goes on without the service', async () => {
    const destinations = [{ type: 'number' as const, number: '+31207654321' }];
    const running = await start({
      agent: { llm_config: { provider: 'scripted', tools: [{ type: 'transferCall', destinations }] } },
      turns: ['A person, please.'],
      replies: [calling('transferCall', { destination: '+31207654321' })],
    });
    const call = await running.call();
    await running.silence(call, () => heardText(call).includes('Good evening.'));
    await running.speak(call, 600);
    await running.silence(call, () => call.dialed !== null);
    expect(call.dialed).toBe('+31207654321');
    expect((await running.lastCall()).end_reason).toBe('transferred');
    expect(call.ended).toBe(false);
  });
});

describe('a transfer over Twilio', () => {
  it('asks the destination on a second call, and bridges the two streams', async () => {
    const destinations = [{ type: 'number' as const, number: '+31207654321', mode: 'warm' as const }];
    const running = await start({
      agent: { llm_config: { provider: 'scripted', tools: [{ type: 'transferCall', destinations }] } },
      turns: ['A person, please.', 'Yes.'],
      replies: [
        calling('transferCall', { destination: '+31207654321' }),
        saying('Do you take it?'),
        calling('accept_call'),
      ],
    });
    await running.useTrunkForTransfers();
    const caller = await running.call();
    await running.silence(caller, () => heardText(caller).includes('Good evening.'));
    await running.speak(caller, 600);
    await running.silence(caller, () => running.server.calls[1]?.isStreaming === true);
    const [, desk] = running.server.calls;
    if (desk === undefined) throw new Error('There is no second call.');
    await running.silence(desk, () => heardText(desk).length > 0);
    expect(running.server.requests.find(({ fields }) => fields.get('To') === '+31207654321')).toBeDefined();
    caller.hangUp();
    await vi.waitFor(() => expect(desk.ended).toBe(true), 10_000);
  });
});

describe('a stranger at the webhooks of Twilio', () => {
  it('is refused without a valid signature, whatever number it names', async () => {
    const running = await start();
    for (const [to, authToken] of [
      [agentNumber, 'forged'],
      ['+31200000000', running.server.authToken],
    ] as const) {
      const { status } = await running.server.call({ from: '+316', to, voiceUrl: running.voiceUrl, authToken });
      expect([to, status]).toEqual([to, 403]);
    }
    expect(running.va.activeCalls).toBe(0);
  });

  it('gets no call with a forged token', async () => {
    const running = await start({ server: { faults: { token: '0'.repeat(32) } } });
    const call = await running.call();
    await vi.waitFor(() => expect(call.ended).toBe(true), 5_000);
    expect(running.va.activeCalls).toBe(1);
  });

  it('gets no call with a token that was used', async () => {
    const running = await start();
    const call = await running.call();
    await running.silence(call, () => heardText(call).includes('Good'));
    const url = `${running.baseUrl.replace('http', 'ws')}/telephony/twilio/stream`;
    const { token, authToken } = { token: call.token, authToken: running.server.authToken };
    const socket = new WebSocket(url, { headers: { 'x-twilio-signature': twilioSignature(authToken, url) } });
    await once(socket, 'open');
    const started = { callSid: call.sid, customParameters: { token } };
    socket.send(JSON.stringify({ event: 'start', streamSid: 'MZ1', start: started }));
    const [code] = await once(socket, 'close');
    expect(code).toBe(1008);
    expect(call.isStreaming).toBe(true);
  });

  it('is closed when it starts no stream', async () => {
    const running = await start();
    const url = `${running.baseUrl.replace('http', 'ws')}/telephony/twilio/stream`;
    const socket = new WebSocket(url);
    await once(socket, 'open');
    for (let n = 0; n < 4; n++) socket.send('{"event":"connected"}');
    await once(socket, 'close');
    const other = new WebSocket(`${url}/else`);
    const [, response] = await once(other, 'unexpected-response');
    expect(response.statusCode).toBe(404);
  });

  it('gets no call with the right token and a wrong signature of the upgrade', async () => {
    const running = await start({ server: { faults: { authToken: 'forged' } } });
    const call = await running.call();
    await vi.waitFor(() => expect(call.ended).toBe(true), 5_000);
    expect(call.heard.every((frame) => frame.every((code) => code === 0xff))).toBe(true);
  });

  it('cannot change a call by status callbacks', async () => {
    const running = await start();
    const url = `${running.baseUrl}/telephony/twilio/status/${'0'.repeat(32)}`;
    const form = { CallStatus: 'completed' };
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'x-twilio-signature': twilioSignature('forged', url, form) },
      body: new URLSearchParams(form),
    });
    expect(response.status).toBe(204);
    expect((await fetch(`${running.baseUrl}/telephony/twilio/else`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(running.voiceUrl)).status).toBe(405);
  });
});

describe('an outbound call over Twilio', () => {
  async function place(running: TwilioService): Promise<void> {
    await running.va.operations.calls.place(running.orgId, {
      agent_id: running.agentId,
      destination: '+31687654321',
    });
  }

  it('is placed by the API, and the agent talks with the callee', async () => {
    const running = await start({ agent: { voicemail_detection: false } });
    await place(running);
    await vi.waitFor(() => expect(running.server.calls[0]?.isStreaming).toBe(true), 5_000);
    const [call] = running.server.calls;
    if (call === undefined) throw new Error('There is no call.');
    await running.silence(call, () => heardText(call).includes('Good evening.'));
    call.hangUp();
    expect(await running.lastCall()).toMatchObject({ direction: 'outbound', end_reason: 'user_hangup' });
    const [request] = running.server.requests;
    expect(request?.fields.get('To')).toBe('+31687654321');
    expect(request?.fields.get('From')).toBe(agentNumber);
    expect(request?.fields.getAll('StatusCallbackEvent')).toEqual(['initiated', 'ringing', 'answered', 'completed']);
    expect(running.server.callbackStatuses.every((status) => status === 204)).toBe(true);
  });

  it.each([
    [{ does: 'busy' }, 'busy'],
    [{ does: 'no-answer' }, 'no_answer'],
    [{ does: 'fail', sipStatus: 404 }, 'invalid_destination'],
    [{ does: 'fail', sipStatus: 603 }, 'declined'],
    [{ does: 'fail', sipStatus: 500 }, 'dial_failed'],
    [{ does: 'refuse', status: 400, code: 21_211 }, 'invalid_destination'],
    [{ does: 'refuse', status: 401, code: 20_003 }, 'dial_failed'],
  ] as const)('ends as the phone of the callee does: %j', async (callee, reason) => {
    const running = await start({ server: { callee: () => callee } });
    await place(running);
    expect((await running.lastCall()).end_reason).toBe(reason);
  });

  it('does not mind callbacks out of order', async () => {
    const running = await start({
      agent: { voicemail_detection: false },
      server: { callbackOrder: [2, 0, 1] },
    });
    await place(running);
    await vi.waitFor(() => expect(running.server.callbackStatuses).toHaveLength(3), 5_000);
    const [call] = running.server.calls;
    if (call === undefined) throw new Error('There is no call.');
    await running.silence(call, () => heardText(call).includes('Good evening.'));
    call.hangUp();
    expect((await running.lastCall()).end_reason).toBe('user_hangup');
  });

  it('is cancelled at Twilio while it rings', async () => {
    const running = await start({ server: { callee: () => ({ does: 'ring' }) } });
    await place(running);
    await vi.waitFor(() => expect(running.server.calls).toHaveLength(1), 5_000);
    const { calls } = await running.va.operations.calls.list(running.orgId, {});
    await running.va.operations.calls.control(running.orgId, calls[0]?.id ?? '', { type: 'end-call' });
    await vi.waitFor(() => expect(running.server.calls[0]?.ended).toBe(true), 5_000);
    expect((await running.lastCall()).end_reason).toBe('canceled');
  });
});
