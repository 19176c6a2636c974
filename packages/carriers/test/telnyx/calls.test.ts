import { telnyx } from '@va/carriers/telnyx';
import { calling, saying } from '@va/testkit';
import { type CarrierCallee, type CarrierServerOptions, TelnyxServer } from '@va/testkit/carrier-servers';
import { agentNumber, CarrierService, type CarrierServiceOptions, heardText } from '@va/testkit/carriers';
import { afterEach, expect, it } from 'vitest';

let service: CarrierService | null = null;
afterEach(async () => {
  await service?.close();
  service = null;
});

async function start(
  options: CarrierServerOptions = {},
  more: CarrierServiceOptions = {},
): Promise<{ running: CarrierService; server: TelnyxServer }> {
  const server = await TelnyxServer.start(options);
  const open = async () => ({ server, telephony: telnyx({ apiUrl: server.url }) });
  service = await CarrierService.start({ ...more, server: options }, open);
  return { running: service, server };
}

it('places one call only when the answer of the request is lost', async () => {
  const { running, server } = await start({ dropsFirstAnswer: true });
  await running.place();
  const call = await running.streaming();
  await running.silence(call, () => heardText(call).includes('Good evening.'));
  const [first, second] = server.requests;
  expect(second?.fields).toEqual(first?.fields);
  expect(server.calls).toHaveLength(1);
});

it('answers a call once, although its webhook comes twice', async () => {
  const { running, server } = await start();
  const call = await running.call();
  const [given] = server.calls;
  if (given === undefined) throw new Error('There is no call.');
  const again = { direction: 'incoming', from: '+31610000000', to: agentNumber };
  expect((await server.event(given, 'call.initiated', again)).status).toBe(200);
  await running.silence(call, () => heardText(call).includes('Good evening.'));
  call.hangUp();
  await running.lastCall();
  expect((await server.event(given, 'call.initiated', again)).status).toBe(200);
  expect(server.requests.filter(({ path }) => path.endsWith('/answer'))).toHaveLength(1);
  expect(running.va.activeCalls).toBe(0);
});

it('ends a call at the event of its hang-up, and not at a forged one', async () => {
  const { running, server } = await start();
  const call = await running.call();
  await running.silence(call, () => heardText(call).includes('Good evening.'));
  const [given] = server.calls;
  if (given === undefined) throw new Error('There is no call.');
  const other = await TelnyxServer.start();
  await other.close();
  expect((await server.event(given, 'call.hangup', {}, other.keys)).status).toBe(403);
  expect(running.va.activeCalls).toBe(1);
  expect((await server.event(given, 'call.hangup', { hangup_cause: 'normal_clearing' })).status).toBe(200);
  expect((await running.lastCall()).end_reason).toBe('user_hangup');
  expect(server.requests.some(({ path }) => path.endsWith('/hangup'))).toBe(false);
});

it('ends a call whose caller hangs up at once', async () => {
  const { running, server } = await start();
  const placing = running.call();
  server.calls[0]?.end();
  await placing;
  expect((await running.lastCall()).status).toBe('ended');
  expect(running.va.activeCalls).toBe(0);
});

it('answers other methods, paths and bodies without a call', async () => {
  const { running } = await start();
  const post = async (path: string, body: string): Promise<number> =>
    (await fetch(`${running.adapterUrl}${path}`, { method: 'POST', body })).status;
  expect((await fetch(`${running.adapterUrl}/voice`)).status).toBe(405);
  expect(await post('/else', '{}')).toBe(404);
  expect(await post('/voice', 'not JSON')).toBe(200);
  expect(await post(`/status/${'0'.repeat(32)}`, '{}')).toBe(200);
  expect(
    await post(
      '/voice',
      '{"data":{"event_type":"call.initiated","payload":{"call_control_id":"a","direction":"incoming"}}}',
    ),
  ).toBe(403);
});

const desk = '+31207654321';

/** Lets an agent transfer its caller to a desk whose phone does this. */
async function transferring(does: CarrierCallee['does']) {
  const destinations = [{ type: 'number' as const, number: desk, mode: 'blind' as const }];
  const callee = (to: string): CarrierCallee => (to === desk ? ({ does } as CarrierCallee) : { does: 'answer' });
  const { running, server } = await start(
    { callee },
    {
      agent: { llm_config: { provider: 'scripted', tools: [{ type: 'transferCall', destinations }] } },
      turns: ['A person, please.'],
      replies: [calling('transferCall', { destination: desk }), saying('They are busy.')],
    },
  );
  const call = await running.call();
  await running.silence(call, () => heardText(call).includes('Good evening.'));
  await running.speak(call, 600);
  const isAsked = (): boolean => server.requests.some(({ path }) => path.endsWith('/transfer'));
  await running.silence(call, isAsked);
  return { running, server, call };
}

it.each(['busy', 'no-answer', 'not-exist'] as const)(
  'keeps the caller when the destination of a transfer is: %s',
  async (does) => {
    const { running, call } = await transferring(does);
    await running.silence(call, () => heardText(call).endsWith('They are busy.'));
    expect([call.transferredTo, call.isStreaming]).toEqual([null, true]);
    call.hangUp();
    expect((await running.lastCall()).end_reason).toBe('user_hangup');
  },
);

it('ends a transfer, and hangs up its ringing destination, when the caller hangs up', async () => {
  const { running, server, call } = await transferring('ring');
  await running.until(() => server.callbackStatuses.length > 0);
  call.hangUp();
  expect((await running.lastCall()).end_reason).toBe('user_hangup');
  await running.until(() => server.requests.some(({ path }) => /leg%2F.*hangup$/.test(path)));
});

it('takes no forged event for the answer of a destination', async () => {
  const { running, server, call } = await transferring('ring');
  const [given] = server.calls;
  if (given === undefined) throw new Error('There is no call.');
  const other = await TelnyxServer.start();
  await other.close();
  expect((await server.event(given, 'call.bridged', {}, other.keys)).status).toBe(403);
  expect(running.va.activeCalls).toBe(1);
  call.hangUp();
  await running.lastCall();
});
