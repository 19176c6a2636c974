import type { CarrierAccess, LegEnd, RejectCause } from '@va/core/adapter';
import { telnyxKeys, telnyxSignature } from '@va/testkit/carrier-servers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TelnyxTelephony } from '../../src/telnyx/telnyx-telephony.ts';
import { agentNumber, FakeHost } from '../support/fake-host.ts';
import { type SentRequest, stubFetch } from '../support/stub-fetch.ts';

afterEach(() => void vi.unstubAllGlobals());

const keys = telnyxKeys();
const trunkOf = (account: object = {}): CarrierAccess<'telnyx'> =>
  ({
    ...{ id: 'trunk-1', type: 'telnyx' },
    account: { connection_id: 'n1', public_key: keys.publicKey, ...account },
    credentials: { api_key: 'KEY' },
  }) as CarrierAccess<'telnyx'>;
const trunk = trunkOf();
const initiated = {
  ...{ call_control_id: 'c1', connection_id: 'n1', direction: 'incoming' },
  ...{ from: '+31612345678', to: agentNumber, caller_id_name: 'Anna' },
};

async function started(access = trunk) {
  const host = new FakeHost('telnyx', access);
  const telephony = new TelnyxTelephony({});
  await telephony.start(host);
  const send = async (type: string, payload: object, path = '/voice', signer = keys): Promise<number> => {
    const body = JSON.stringify({ data: { event_type: type, payload } });
    const headers = telnyxSignature(signer, body, host.clock.wallMs());
    return (await telephony.fetch(new Request(`${host.publicUrl}${path}`, { method: 'POST', headers, body }))).status;
  };
  return { host, telephony, send };
}

async function called(access = trunk) {
  const running = await started(access);
  const status = await running.send('call.initiated', initiated);
  const [call] = running.host.calls;
  if (call === undefined) throw new Error(`The webhook announced no call: ${status}.`);
  const ends: LegEnd[] = [];
  call.onEnd((end) => ends.push(end));
  return { ...running, call, ends, status };
}
const until = (sent: readonly SentRequest[], count = 1): Promise<void> =>
  vi.waitFor(() => expect(sent).toHaveLength(count), { interval: 1 });

describe('an inbound call of Telnyx', () => {
  it('is announced, and its webhook acknowledged at once', async () => {
    const { call, status } = await called();
    expect(status).toBe(200);
    expect(call).toMatchObject({
      id: 'c1',
      from: { number: '+31612345678', displayName: 'Anna' },
      to: { number: agentNumber },
    });
  });

  it.each([
    [false, 'PCMU', 8_000, 'pcmu'],
    [true, 'L16', 16_000, 'pcm16'],
  ])('is answered with a stream (wideband: %j) of %s', async (wideband, codec, rateHz, encoding) => {
    const sent = stubFetch([200, {}]);
    const { call } = await called(trunkOf({ wideband }));
    expect(call.format).toMatchObject({ encoding, sampleRateHz: rateHz });
    void call.answer();
    await until(sent);
    expect(sent[0]?.to).toBe('POST https://api.telnyx.com/v2/calls/c1/actions/answer');
    expect(sent[0]?.body).toMatchObject({
      stream_url: expect.stringMatching(/^wss:\/\/example\.com\/voice\/telephony\/telnyx\/stream\/[0-9a-f]{32}$/),
      stream_codec: codec,
      stream_bidirectional_codec: codec,
      stream_bidirectional_sampling_rate: rateHz,
    });
  });

  it('ends with a transport error when the API fails to answer it', async () => {
    stubFetch([500, { errors: [{ code: '1', detail: 'Down.' }] }]);
    const { call, ends } = await called();
    void call.answer();
    await vi.waitFor(() => expect(ends).toHaveLength(1), { interval: 1 });
    expect(ends).toEqual([{ cause: 'transport-error', message: 'Telnyx refused: Down.' }]);
  });

  it.each<[RejectCause, string]>([
    ['busy', 'USER_BUSY'],
    ['overloaded', 'USER_BUSY'],
    ['declined', 'CALL_REJECTED'],
    ['not-found', 'CALL_REJECTED'],
    ['error', 'CALL_REJECTED'],
  ])('is rejected for the cause %s as %s', async (cause, telnyxCause) => {
    const sent = stubFetch([200, {}]);
    const { call } = await called();
    call.reject(cause);
    await until(sent);
    expect(sent).toMatchObject([
      { to: 'POST https://api.telnyx.com/v2/calls/c1/actions/reject', body: { cause: telnyxCause } },
    ]);
  });

  it('ends locally even if the API refuses to reject it', async () => {
    const sent = stubFetch([422, {}]);
    const { call, ends } = await called();
    call.reject('busy');
    await until(sent);
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
  });

  it('is rejected as busy when no agent decides within 30 s', async () => {
    const sent = stubFetch([200, {}]);
    const { host } = await called();
    await host.clock.advance(29_999);
    expect(sent).toEqual([]);
    await host.clock.advance(1);
    expect(sent).toMatchObject([{ body: { cause: 'USER_BUSY' } }]);
  });

  it('is announced once, although its webhook is repeated', async () => {
    stubFetch([200, {}]);
    const { host, send, call } = await called();
    expect(await send('call.initiated', initiated)).toBe(200);
    call.reject('busy');
    expect(await send('call.initiated', initiated)).toBe(200);
    expect(host.calls).toHaveLength(1);
  });

  it('ends when the caller hangs up, which only a signed event can say', async () => {
    const { send, ends } = await called();
    expect(await send('call.hangup', { call_control_id: 'c1' }, '/voice', telnyxKeys())).toBe(403);
    expect(ends).toEqual([]);
    expect(await send('call.hangup', { call_control_id: 'c1' })).toBe(200);
    expect(ends).toEqual([{ cause: 'canceled' }]);
  });

  it('is refused by a full node', async () => {
    const sent = stubFetch([200, {}]);
    const { host, send } = await started();
    host.isFull = true;
    expect(await send('call.initiated', initiated)).toBe(200);
    await until(sent);
    expect(sent).toMatchObject([{ body: { cause: 'USER_BUSY' } }]);
    expect([host.calls, host.refusals]).toEqual([[], 1]);
  });
});

describe('events of Telnyx', () => {
  it.each([
    ['of another connection', { ...initiated, connection_id: 'n2' }],
    ['to an unknown number', { ...initiated, to: '+31209999999' }],
    ['with fields of other types', { ...initiated, connection_id: 1, to: [agentNumber] }],
  ])('that announce a call %s are refused', async (_, payload) => {
    const { host, send } = await started();
    expect(await send('call.initiated', payload)).toBe(403);
    expect(host.calls).toEqual([]);
  });

  it('are refused when they are older than five minutes', async () => {
    const { host, telephony } = await started();
    const body = JSON.stringify({ data: { event_type: 'call.initiated', payload: initiated } });
    const headers = telnyxSignature(keys, body, host.clock.wallMs() - 301_000);
    const response = await telephony.fetch(new Request(`${host.publicUrl}/voice`, { method: 'POST', headers, body }));
    expect(response.status).toBe(403);
  });

  it.each([
    ['an outbound call', 'call.initiated', { ...initiated, direction: 'outgoing' }],
    ['an unknown call', 'call.hangup', { call_control_id: 'c9' }],
    ['no call', 'call.initiated', {}],
  ])('of %s are acknowledged without a call', async (_, type, payload) => {
    const { host, send } = await started();
    expect(await send(type, payload)).toBe(200);
    expect(host.calls).toEqual([]);
  });

  it.each(['', 'not JSON', '[]', '{"data":[]}', '{"data":{"payload":"text"}}'])(
    'with the body %j are acknowledged without a call',
    async (body) => {
      const { host, telephony } = await started();
      const response = await telephony.fetch(new Request(`${host.publicUrl}/voice`, { method: 'POST', body }));
      expect([response.status, host.calls]).toEqual([200, []]);
    },
  );
});

describe('a placed call of Telnyx', () => {
  async function placed() {
    const sent = stubFetch([200, { data: { call_control_id: 'c2' } }], [200, {}]);
    const running = await started();
    const request = { callId: 'call-1', destination: '+31687654321', callerNumber: agentNumber, trunk };
    const call = running.telephony.dialCarrier(request);
    const ends: LegEnd[] = [];
    call.onEnd((end) => ends.push(end));
    await vi.waitFor(() => expect(call.id).toBe('c2'), { interval: 1 });
    const { webhook_url: url = '' } = (sent[0]?.body ?? {}) as { webhook_url?: string };
    return { ...running, call, ends, sent, path: url.replace(running.host.publicUrl, '') };
  }

  it('is requested with its own id as the command, and its own webhook', async () => {
    const { sent, path } = await placed();
    const expected = { to: '+31687654321', from: agentNumber, command_id: 'call-1', connection_id: 'n1' };
    expect(sent[0]?.body).toMatchObject({ ...expected, timeout_secs: 180, webhook_url_method: 'POST' });
    expect(path).toMatch(/^\/status\/[0-9a-f]{32}$/);
  });

  it('ends with the cause of its hang-up', async () => {
    const { send, ends, path } = await placed();
    expect(await send('call.hangup', { hangup_cause: 'user_busy', sip_hangup_cause: '486' }, path)).toBe(200);
    expect(ends).toEqual([{ cause: 'not-answered', why: 'busy', message: 'Telnyx: user_busy (SIP 486).' }]);
    expect(await send('call.hangup', {}, path, telnyxKeys())).toBe(200);
  });

  it('ignores other and forged events', async () => {
    const { send, ends, path } = await placed();
    expect(await send('call.initiated', { direction: 'outgoing' }, path)).toBe(200);
    expect(await send('call.hangup', { hangup_cause: 'user_busy' }, path, telnyxKeys())).toBe(403);
    expect(ends).toEqual([]);
  });
});
