import { telnyx } from '@va/carriers/telnyx';
import { type CarrierServerOptions, TelnyxServer } from '@va/testkit/carrier-servers';
import { agentNumber, CarrierService, heardText } from '@va/testkit/carriers';
import { afterEach, expect, it } from 'vitest';

let service: CarrierService | null = null;
afterEach(async () => {
  await service?.close();
  service = null;
});

async function start(options: CarrierServerOptions = {}): Promise<{ running: CarrierService; server: TelnyxServer }> {
  const server = await TelnyxServer.start(options);
  const open = async () => ({ server, telephony: telnyx({ apiUrl: server.url }) });
  service = await CarrierService.start({ server: options }, open);
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
