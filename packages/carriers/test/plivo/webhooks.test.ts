import type { CarrierAccess, LegEnd, RejectCause } from '@va/core/adapter';
import { plivoSignature } from '@va/testkit/carrier-servers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PlivoTelephony } from '../../src/plivo/plivo-telephony.ts';
import { agentNumber, FakeHost } from '../support/fake-host.ts';
import { stubFetch } from '../support/stub-fetch.ts';

afterEach(() => void vi.unstubAllGlobals());

const authToken = 'an-auth-token';
const trunk = {
  ...{ id: 'trunk-1', type: 'plivo' },
  account: { auth_id: 'MA1' },
  credentials: { auth_token: authToken },
} as CarrierAccess<'plivo'>;
const ringing = { CallUUID: 'c1', From: '31612345678', To: '31201234567', CallerName: 'Anna' };

type Form = Readonly<Record<string, string>>;

async function started() {
  const host = new FakeHost('plivo', trunk);
  const telephony = new PlivoTelephony({});
  await telephony.start(host);
  const send = (method: 'GET' | 'POST', path: string, form: Form = {}, key = authToken): Promise<Response> => {
    const query = method === 'GET' ? `?${new URLSearchParams(form)}` : '';
    const url = `${host.publicUrl}${path}${query}`;
    const signature = plivoSignature(key, { method, url, form: method === 'GET' ? {} : form, nonce: '1' });
    const headers = { 'x-plivo-signature-v3': signature, 'x-plivo-signature-v3-nonce': '1' };
    const body = method === 'GET' ? null : new URLSearchParams(form);
    return telephony.fetch(new Request(url, { method, headers, body }));
  };
  return { host, telephony, send };
}

describe('the answer webhook of Plivo', () => {
  it.each(['POST', 'GET'] as const)('announces the call with E.164 numbers (%s)', async (method) => {
    const { host, send } = await started();
    const announced = host.nextCall();
    const response = send(method, '/voice', ringing);
    const call = await announced;
    expect(call).toMatchObject({
      id: 'c1',
      from: { number: '+31612345678', displayName: 'Anna' },
      to: { number: agentNumber },
    });
    void call.answer();
    expect(await (await response).text()).toMatch(
      /<Stream [^>]*bidirectional="true"[^>]*>wss:\/\/example\.com\/voice\/telephony\/plivo\/stream\/[0-9a-f]{32}</,
    );
  });

  it.each<[RejectCause, string]>([
    ['busy', 'busy'],
    ['overloaded', 'busy'],
    ['declined', 'rejected'],
    ['error', 'rejected'],
  ])('is answered for the cause %s with the reason %s', async (cause, reason) => {
    const { host, send } = await started();
    const announced = host.nextCall();
    const response = send('POST', '/voice', ringing);
    (await announced).reject(cause);
    expect(await (await response).text()).toContain(`<Hangup reason="${reason}"/>`);
  });

  it('gets the same response when it is repeated, for one call', async () => {
    const { host, send } = await started();
    const announced = host.nextCall();
    const first = send('POST', '/voice', ringing);
    const second = send('POST', '/voice', ringing);
    void (await announced).answer();
    expect(await (await second).text()).toBe(await (await first).text());
    expect(host.calls).toHaveLength(1);
  });

  it('does not give the response of a call to a forged webhook', async () => {
    const { host, send } = await started();
    const announced = host.nextCall();
    void send('POST', '/voice', ringing);
    void (await announced).answer();
    expect((await send('POST', '/voice', ringing, 'another-token')).status).toBe(403);
  });

  it.each<[string, Form]>([
    ['an unknown number', { ...ringing, To: '31209999999' }],
    ['no id of the call', { From: '31612345678', To: '31201234567' }],
    ['no fields', {}],
  ])('is refused with %s', async (_, form) => {
    const { host, send } = await started();
    expect((await send('POST', '/voice', form)).status).toBe(403);
    expect(host.calls).toEqual([]);
  });

  it('is refused with a query that the signature does not cover', async () => {
    const { host, telephony } = await started();
    const url = `${host.publicUrl}/voice`;
    const signature = plivoSignature(authToken, { method: 'POST', url, form: ringing, nonce: '1' });
    const headers = { 'x-plivo-signature-v3': signature, 'x-plivo-signature-v3-nonce': '1' };
    const body = new URLSearchParams(ringing);
    const response = await telephony.fetch(new Request(`${url}?To=other`, { method: 'POST', headers, body }));
    expect(response.status).toBe(403);
  });
});

describe('a placed call of Plivo', () => {
  async function placed() {
    const sent = stubFetch([201, { request_uuid: 'r1' }], [202, {}]);
    const running = await started();
    const request = { callId: 'call-1', destination: '+31687654321', callerNumber: agentNumber, trunk };
    const call = running.telephony.dialCarrier(request);
    const ends: LegEnd[] = [];
    call.onEnd((end) => ends.push(end));
    await vi.waitFor(() => expect(call.id).toBe('r1'), { interval: 1 });
    const fields = sent[0]?.body as Readonly<Record<string, string>>;
    const pathOf = (url = ''): string => url.replace(running.host.publicUrl, '');
    return { ...running, call, ends, sent, answer: pathOf(fields.answer_url), status: pathOf(fields.hangup_url) };
  }

  it('is connected to its stream by the answer request, which names its id', async () => {
    const { send, call, answer } = await placed();
    const response = await send('POST', answer, { CallUUID: 'c9', CallStatus: 'in-progress' });
    expect(await response.text()).toMatch(/\/stream\/[0-9a-f]{32}<\/Stream>/);
    expect(call.id).toBe('c9');
  });

  it('ends with the hang-up code of a report', async () => {
    const { send, ends, status } = await placed();
    const report = { CallUUID: 'c9', CallStatus: 'busy', HangupCauseCode: '3010' };
    expect((await send('POST', status, report)).status).toBe(200);
    expect(ends).toEqual([{ cause: 'not-answered', why: 'busy', message: 'Plivo: busy (hang-up code 3010).' }]);
  });

  it('ignores forged requests', async () => {
    const { send, call, ends, answer, status } = await placed();
    for (const path of [answer, status]) {
      expect((await send('POST', path, { CallUUID: 'c9', CallStatus: 'busy' }, 'another-token')).status).toBe(403);
    }
    expect([call.id, ends]).toEqual(['r1', []]);
  });

  it('is hung up when Plivo asks for its stream after its end', async () => {
    const { send, answer, status } = await placed();
    await send('POST', status, { CallStatus: 'no-answer' });
    expect(await (await send('POST', answer, {})).text()).toContain('<Hangup reason="rejected"/>');
    expect((await send('POST', status, {})).status).toBe(200);
  });
});

describe('the requests of Plivo', () => {
  it.each([
    ['PUT', '/voice', 405],
    ['POST', '/other', 404],
    ['POST', '/status/short', 404],
    ['POST', `/document/${'0'.repeat(32)}`, 404],
  ])('%s %s are answered with %i', async (method, path, status) => {
    const { host, telephony } = await started();
    const response = await telephony.fetch(new Request(`${host.publicUrl}${path}`, { method }));
    expect(response.status).toBe(status);
    expect(response.headers.get('allow')).toBe(status === 405 ? 'GET, POST' : null);
  });

  it('fetch the document of a transfer once, with a signature', async () => {
    const sent = stubFetch([202, {}]);
    class Opened extends PlivoTelephony {
      transfer(): Promise<null> {
        return this.commandsOf(trunk).transfer('c1', '+31207654321', agentNumber);
      }
    }
    const opened = new Opened({});
    await opened.start(new FakeHost('plivo', trunk));
    await opened.transfer();
    const url = (sent[0]?.body as { aleg_url?: string } | undefined)?.aleg_url ?? '';
    const fetched = async (key: string): Promise<Response> => {
      const signature = plivoSignature(key, { method: 'POST', url, nonce: '1' });
      const headers = { 'x-plivo-signature-v3': signature, 'x-plivo-signature-v3-nonce': '1' };
      return await opened.fetch(new Request(url, { method: 'POST', headers }));
    };
    expect((await fetched('another-token')).status).toBe(403);
    expect(await (await fetched(authToken)).text()).toContain('<Number>+31207654321</Number>');
    expect((await fetched(authToken)).status).toBe(404);
  });
});
