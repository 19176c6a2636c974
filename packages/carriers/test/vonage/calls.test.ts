import { vonage } from '@va/carriers/vonage';
import { type CarrierServerOptions, VonageServer } from '@va/testkit/carrier-servers';
import { agentNumber, CarrierService, heardText } from '@va/testkit/carriers';
import { afterEach, expect, it } from 'vitest';

let service: CarrierService | null = null;
afterEach(async () => {
  await service?.close();
  service = null;
});

async function start(options: CarrierServerOptions = {}): Promise<{ running: CarrierService; server: VonageServer }> {
  const server = await VonageServer.start(options);
  service = await CarrierService.start({}, async () => ({ server, telephony: vonage({ apiUrl: server.url }) }));
  return { running: service, server };
}

it('takes the webhook of a call as a POST request too', async () => {
  const { running, server } = await start();
  const fields = { from: '31610000000', to: agentNumber.replace('+', ''), uuid: 'u1' };
  const response = await server.post(`${running.adapterUrl}/voice`, fields);
  expect(await response.json()).toMatchObject([{ action: 'connect', endpoint: [{ type: 'websocket' }] }]);
  expect((await server.post(`${running.adapterUrl}/voice`, fields, 'forged')).status).toBe(403);
});

it('answers a repeated webhook with the same response, and begins one call', async () => {
  const { running, server } = await start();
  const fields = { from: '31610000000', to: agentNumber.replace('+', ''), uuid: 'u1' };
  const ask = async (uuid = 'u1') =>
    await (await server.get(`${running.adapterUrl}/voice`, { ...fields, uuid })).text();
  const [first, second] = await Promise.all([ask(), ask()]);
  expect(JSON.parse(first)).toMatchObject([{ action: 'connect' }]);
  expect([second, await ask()]).toEqual([first, first]);
  expect(running.va.activeCalls).toBe(1);
  expect(await ask('u2')).not.toBe(first);
  expect(running.va.activeCalls).toBe(2);
});

it('sends keys that Vonage does not support as tones', async () => {
  const { running } = await start();
  const call = await running.call();
  await running.silence(call, () => heardText(call).includes('Good evening.'));
  const before = call.heard.length;
  await running.control({ type: 'send-dtmf', digits: 'A' });
  await running.silence(call, () => call.heard.slice(before).some((frame) => new Set(frame).size > 8));
  expect(call.keys).toBe('');
});

it('changes no placed call by forged events, or by those of the WebSocket', async () => {
  const { running, server } = await start({ callee: () => ({ does: 'ring' }) });
  await running.place();
  await running.until(() => server.callbackStatuses.length === 2);
  const url = String(server.requests[0]?.fields.event_url);
  const event = { uuid: server.calls[0]?.id, status: 'busy' };
  expect((await server.post(url, event, 'forged')).status).toBe(403);
  expect((await server.post(url, { ...event, uuid: 'leg' })).status).toBe(204);
  expect(running.ended).toHaveLength(0);
  expect((await server.post(url, event)).status).toBe(204);
  expect((await running.lastCall()).end_reason).toBe('busy');
});

it('answers other methods and paths without a call', async () => {
  const { running } = await start();
  expect((await fetch(`${running.adapterUrl}/voice`, { method: 'PUT' })).status).toBe(405);
  expect((await fetch(`${running.adapterUrl}/else`)).status).toBe(404);
  expect((await fetch(`${running.adapterUrl}/event`, { method: 'POST' })).status).toBe(204);
  expect((await fetch(`${running.adapterUrl}/voice`)).status).toBe(403);
});
