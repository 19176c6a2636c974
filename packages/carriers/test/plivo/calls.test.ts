import { plivo } from '@va/carriers/plivo';
import { type CarrierServerOptions, PlivoServer, plivoSignature } from '@va/testkit/carrier-servers';
import { agentNumber, CarrierService, heardText } from '@va/testkit/carriers';
import { afterEach, expect, it } from 'vitest';

let service: CarrierService | null = null;
afterEach(async () => {
  await service?.close();
  service = null;
});

async function start(options: CarrierServerOptions = {}): Promise<{ running: CarrierService; server: PlivoServer }> {
  const server = await PlivoServer.start(options);
  service = await CarrierService.start({}, async () => ({ server, telephony: plivo({ apiUrl: server.url }) }));
  return { running: service, server };
}

it('takes the webhook of a call as a GET request too', async () => {
  const { running, server } = await start();
  const query = new URLSearchParams({ CallUUID: 'c1', From: '31610000000', To: agentNumber.replace('+', '') });
  const url = `${running.adapterUrl}/voice?${query}`;
  const signature = plivoSignature(server.authToken, { method: 'GET', url, nonce: '1' });
  const headers = { 'x-plivo-signature-v3': signature, 'x-plivo-signature-v3-nonce': '1' };
  expect(await (await fetch(url, { headers })).text()).toContain('<Stream ');
  expect((await fetch(url, { headers: { ...headers, 'x-plivo-signature-v3-nonce': '2' } })).status).toBe(403);
});

it('answers a repeated webhook with the same response, and begins one call', async () => {
  const { running, server } = await start();
  const form = { CallUUID: 'c1', From: '31610000000', To: agentNumber.replace('+', '') };
  const ask = async (callId = 'c1') =>
    await (await server.post(`${running.adapterUrl}/voice`, { ...form, CallUUID: callId })).text();
  const [first, second] = await Promise.all([ask(), ask()]);
  expect(first).toContain('<Stream ');
  expect([second, await ask()]).toEqual([first, first]);
  expect(running.va.activeCalls).toBe(1);
  expect(await ask('c2')).not.toBe(first);
  expect(running.va.activeCalls).toBe(2);
});

it('serves the document of a transfer once, and only to Plivo', async () => {
  const { running, server } = await start();
  const call = await running.call();
  await running.silence(call, () => heardText(call).includes('Good evening.'));
  const post = server.post.bind(server);
  const forged: number[] = [];
  server.post = async (url, form, secret) => {
    if (url.includes('/document/')) forged.push((await post(url, form, 'forged')).status);
    return await post(url, form, secret);
  };
  await running.control({ type: 'transfer', destination: '+31207654321' });
  await running.silence(call, () => call.transferredTo !== null);
  expect(forged).toEqual([403]);
  const url = String(server.requests.find(({ fields }) => fields.aleg_url !== undefined)?.fields.aleg_url);
  expect((await server.post(url, {})).status).toBe(404);
  expect((await fetch(url, { method: 'POST' })).status).toBe(404);
});

it('changes no placed call by forged reports', async () => {
  const { running, server } = await start({ callee: () => ({ does: 'ring' }) });
  await running.place();
  await running.until(() => server.callbackStatuses.length === 2);
  const { answer_url: answerUrl, hangup_url: hangupUrl } = server.requests[0]?.fields ?? {};
  expect((await server.post(String(answerUrl), {}, 'forged')).status).toBe(403);
  expect((await server.post(String(hangupUrl), { CallStatus: 'busy' }, 'forged')).status).toBe(403);
  expect(running.ended).toHaveLength(0);
});

it('answers other methods and paths without a call', async () => {
  const { running } = await start();
  expect((await fetch(`${running.adapterUrl}/voice`, { method: 'PUT' })).status).toBe(405);
  expect((await fetch(`${running.adapterUrl}/else`)).status).toBe(404);
  expect((await fetch(`${running.adapterUrl}/status/${'0'.repeat(32)}`, { method: 'POST' })).status).toBe(200);
  expect(await (await fetch(`${running.adapterUrl}/answer/${'0'.repeat(32)}`)).text()).toContain('<Hangup');
});
