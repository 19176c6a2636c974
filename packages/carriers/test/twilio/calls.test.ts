import { once } from 'node:events';
import { type TwilioOptions, twilio } from '@va/carriers/twilio';
import { type CarrierServerOptions, TwilioServer, twilioSignature } from '@va/testkit/carrier-servers';
import { CarrierService, heardText } from '@va/testkit/carriers';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

let service: CarrierService | null = null;
afterEach(async () => {
  await service?.close();
  service = null;
});

async function start(server: CarrierServerOptions = {}, options: TwilioOptions = {}): Promise<CarrierService> {
  service = await CarrierService.start({ server }, async (serverOptions, publicUrl) => {
    const twilioServer = await TwilioServer.start(serverOptions);
    const own = options.publicUrl === undefined ? {} : { publicUrl: publicUrl.replace('127.0.0.1', 'localhost') };
    return { server: twilioServer, telephony: twilio({ apiUrl: twilioServer.url, ...own }) };
  });
  return service;
}

function streamUrl({ adapterUrl }: CarrierService): string {
  return `${adapterUrl.replace('http', 'ws')}/stream`;
}

describe('a stream of Twilio', () => {
  it('comes to the node that took the call', async () => {
    const running = await start({}, { publicUrl: 'own' });
    const call = await running.call();
    await running.silence(call, () => heardText(call).includes('Good evening.'));
    expect(new URL(call.streamUrl).hostname).toBe('localhost');
  });

  it('is closed when it does not start', async () => {
    const running = await start();
    const socket = new WebSocket(streamUrl(running));
    await once(socket, 'open');
    for (let n = 0; n < 4; n++) socket.send('{"event":"connected"}');
    await once(socket, 'close');
    const other = new WebSocket(`${streamUrl(running)}/else`);
    const [, response] = await once(other, 'unexpected-response');
    expect(response.statusCode).toBe(404);
  });

  it('is accepted while clients without a token keep connections open', async () => {
    const running = await start();
    const strangers: WebSocket[] = [];
    for (let n = 0; n < 120; n++) {
      const socket = new WebSocket(streamUrl(running));
      strangers.push(socket);
      await once(socket, 'open');
    }
    const open = (): number => strangers.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
    await expect.poll(open).toBe(50);
    const call = await running.call();
    await running.silence(call, () => heardText(call).includes('Good evening.'));
    for (const socket of strangers) socket.terminate();
  });

  it('is refused with the right token and a wrong signature', async () => {
    const running = await start({ faults: { forgesStream: true } });
    const call = await running.call();
    await running.until(() => call.ended);
    expect(call.heard.every((frame) => frame.every((code) => code === 0xff))).toBe(true);
  });
});

describe('webhooks of Twilio', () => {
  it('change nothing for an unknown call, path or method', async () => {
    const running = await start();
    const url = `${running.adapterUrl}/status/${'0'.repeat(32)}`;
    const form = { CallStatus: 'completed' };
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'x-twilio-signature': twilioSignature('forged', url, form) },
      body: new URLSearchParams(form),
    });
    expect(response.status).toBe(204);
    expect((await fetch(`${running.adapterUrl}/else`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${running.adapterUrl}/voice`)).status).toBe(405);
  });

  it('are recorded in the health of their trunk', async () => {
    const running = await start({ callee: () => ({ does: 'ring' }) });
    const { trunks } = running.va.operations;
    const known = async () => (await trunks.health(running.orgId, running.trunkId)).nodes[0];
    expect(await known()).toBeUndefined();
    await running.place();
    await expect.poll(async () => (await known())?.last_webhook_at).toEqual(expect.any(String));
    expect(await known()).toMatchObject({ state: 'unknown', last_answer_at: null, last_failure: null });
  });

  it('change no placed call with a forged signature', async () => {
    const running = await start({ callee: () => ({ does: 'ring' }) });
    await running.place();
    await running.until(() => running.server.callbackStatuses.length === 2);
    const url = new URLSearchParams(running.server.requests[0]?.body).get('StatusCallback') ?? '';
    const form = { CallStatus: 'busy', SequenceNumber: '2' };
    const headers = { 'x-twilio-signature': twilioSignature('forged', url, form) };
    const response = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) });
    expect(response.status).toBe(403);
    expect(running.ended).toHaveLength(0);
  });
});

it('asks Twilio for the statuses of a placed call', async () => {
  const running = await start();
  await running.place();
  await running.streaming();
  const fields = new URLSearchParams(running.server.requests[0]?.body);
  expect(fields.get('To')).toBe('+31687654321');
  expect(fields.get('From')).toBe('+31201234567');
  expect(fields.getAll('StatusCallbackEvent')).toEqual(['initiated', 'ringing', 'answered', 'completed']);
});
