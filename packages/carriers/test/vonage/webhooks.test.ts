import type { CarrierAccess, LegEnd } from '@va/core/adapter';
import { vonageKeys, vonageSignature } from '@va/testkit/carrier-servers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { VonageTelephony } from '../../src/vonage/vonage-telephony.ts';
import { agentNumber, FakeHost } from '../support/fake-host.ts';
import { stubFetch } from '../support/stub-fetch.ts';

afterEach(() => void vi.unstubAllGlobals());

const applicationId = '78d335fa-323d-4114-9c3d-d6f0d48968cf';
const secret = 'a-signature-secret-of-at-least-32-bytes';
const trunkOf = (account: object = {}): CarrierAccess<'vonage'> =>
  ({
    ...{ id: 'trunk-1', type: 'vonage' },
    account: { application_id: applicationId, ...account },
    credentials: { private_key: vonageKeys().privateKey, signature_secret: secret },
  }) as CarrierAccess<'vonage'>;
const ringing = { from: '31612345678', to: '31201234567', uuid: 'c1' };

type Fields = Readonly<Record<string, string>>;

async function started(access = trunkOf()) {
  const host = new FakeHost('vonage', access);
  const telephony = new VonageTelephony({});
  await telephony.start(host);
  const send = (method: 'GET' | 'POST', path: string, fields: Fields, key = secret): Promise<Response> => {
    const payload = JSON.stringify(fields);
    const token = vonageSignature({ applicationId, secret: key, payload, wallMs: host.clock.wallMs() });
    const query = method === 'GET' ? `?${new URLSearchParams(fields)}` : '';
    const init = { method, headers: { authorization: `Bearer ${token}` }, body: method === 'GET' ? null : payload };
    return telephony.fetch(new Request(`${host.publicUrl}${path}${query}`, init));
  };
  return { host, telephony, send };
}

describe('the answer webhook of Vonage', () => {
  it.each(['POST', 'GET'] as const)('announces the call with E.164 numbers (%s)', async (method) => {
    const { host, send } = await started();
    const announced = host.nextCall();
    void send(method, '/voice', ringing);
    expect(await announced).toMatchObject({ id: 'c1', from: { number: '+31612345678' }, to: { number: agentNumber } });
  });

  it.each([
    [{ from_user: 'anna' }, 'anna'],
    [{}, 'anonymous'],
    [{ from: 'unknown' }, 'unknown'],
  ])('reads the caller of %j as %s', async (caller, number) => {
    const { host, send } = await started();
    const announced = host.nextCall();
    void send('POST', '/voice', { to: ringing.to, uuid: 'c1', ...caller });
    expect((await announced).from.number).toBe(number);
  });

  it.each([
    [false, 8_000],
    [true, 16_000],
  ])('is answered with a WebSocket (wideband: %j) of %i Hz', async (wideband, rateHz) => {
    const { host, send } = await started(trunkOf({ wideband }));
    const announced = host.nextCall();
    const response = send('POST', '/voice', ringing);
    void (await announced).answer();
    expect(await (await response).json()).toMatchObject([
      {
        action: 'connect',
        endpoint: [
          {
            type: 'websocket',
            uri: expect.stringMatching(/^wss:\/\/example\.com\/voice\/telephony\/vonage\/stream\/[0-9a-f]{32}$/),
            'content-type': `audio/l16;rate=${rateHz}`,
          },
        ],
      },
    ]);
  });

  it('is answered without instructions when the call is refused', async () => {
    const { host, send } = await started();
    const announced = host.nextCall();
    const response = send('POST', '/voice', ringing);
    (await announced).reject('busy');
    expect(await (await response).json()).toEqual([]);
  });

  it('is answered within the 5 s that Vonage waits', async () => {
    const { host, send } = await started();
    const announced = host.nextCall();
    const response = send('POST', '/voice', ringing);
    await announced;
    await host.clock.advance(4_500);
    expect(await (await response).json()).toEqual([]);
  });

  it('gets the same response when it is repeated', async () => {
    const { host, send } = await started();
    const announced = host.nextCall();
    const both = [send('POST', '/voice', ringing), send('POST', '/voice', ringing)];
    void (await announced).answer();
    const [first, second] = await Promise.all(both.map(async (response) => await (await response).text()));
    expect(second).toBe(first);
    expect(host.calls).toHaveLength(1);
  });

  it.each<[string, Fields, string]>([
    ['a forged token', ringing, 'another-secret'],
    ['an unknown number', { ...ringing, to: '31209999999' }, secret],
    ['no id of the call', { from: ringing.from, to: ringing.to }, secret],
  ])('is refused with %s', async (_, fields, key) => {
    const { host, send } = await started();
    expect((await send('POST', '/voice', fields, key)).status).toBe(403);
    expect(host.calls).toEqual([]);
  });

  it('is refused for the trunk of another application', async () => {
    const { send } = await started(trunkOf({ application_id: 'another' }));
    expect((await send('POST', '/voice', ringing)).status).toBe(403);
  });

  it('is refused without a token, and with the token of another body', async () => {
    const { host, telephony } = await started();
    const payload = JSON.stringify({ ...ringing, uuid: 'c9' });
    const token = vonageSignature({ applicationId, secret, payload, wallMs: host.clock.wallMs() });
    for (const headers of [{}, { authorization: `Bearer ${token}` }, { authorization: token }]) {
      const init = { method: 'POST', headers, body: JSON.stringify(ringing) };
      expect((await telephony.fetch(new Request(`${host.publicUrl}/voice`, init))).status).toBe(403);
    }
  });
});

describe('the requests of Vonage', () => {
  it.each([
    ['PUT', '/voice', 405],
    ['POST', '/event', 204],
    ['POST', '/other', 404],
    ['POST', `/status/${'0'.repeat(32)}`, 204],
    ['POST', '/status/0', 404],
  ])('%s %s are answered with %i', async (method, path, status) => {
    const { host, telephony } = await started();
    const response = await telephony.fetch(new Request(`${host.publicUrl}${path}`, { method }));
    expect(response.status).toBe(status);
  });
});

describe('a placed call of Vonage', () => {
  async function placed(response: readonly [number, object] = [201, { uuid: 'c2' }]) {
    const sent = stubFetch(response, [204, {}]);
    const running = await started();
    const request = { callId: 'call-1', destination: '+31687654321', callerNumber: agentNumber, trunk: trunkOf() };
    const call = running.telephony.dialCarrier(request);
    const ends: LegEnd[] = [];
    call.onEnd((end) => ends.push(end));
    await vi.waitFor(() => expect([call.id, ends.length]).not.toEqual(['call-1', 0]), { interval: 1 });
    const { event_url: [url = ''] = [] } = (sent[0]?.body ?? {}) as { event_url?: string[] };
    return { ...running, call, ends, sent, path: url.replace(running.host.publicUrl, '') };
  }

  it('is requested with numbers without a plus', async () => {
    const { sent } = await placed();
    expect(sent[0]?.body).toMatchObject({
      to: [{ type: 'phone', number: '31687654321' }],
      from: { type: 'phone', number: '31201234567' },
      ncco: [{ action: 'connect' }],
      ringing_timer: 120,
    });
  });

  it('fails as an invalid destination for the status 400, and without a reason for another', async () => {
    expect((await placed([400, { title: 'Bad request' }])).ends).toMatchObject([{ why: 'invalid-destination' }]);
    expect((await placed([401, { title: 'Unauthorized' }])).ends).toMatchObject([{ why: 'failed' }]);
  });

  it('ends with the status of its own event', async () => {
    const { send, ends, path } = await placed();
    expect((await send('POST', path, { uuid: 'the WebSocket leg', status: 'completed' })).status).toBe(204);
    expect(ends).toEqual([]);
    expect((await send('POST', path, { uuid: 'c2', status: 'busy' }, 'another-secret')).status).toBe(403);
    expect(ends).toEqual([]);
    expect((await send('POST', path, { uuid: 'c2', status: 'busy' })).status).toBe(204);
    expect(ends).toEqual([{ cause: 'not-answered', why: 'busy', message: 'Vonage: busy.' }]);
  });
});
