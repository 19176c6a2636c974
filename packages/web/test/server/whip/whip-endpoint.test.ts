import type { CallGrant, IncomingCall, LegEnd, TelephonyHost } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { createCertificate } from '../../../src/server/webrtc/dtls/certificate.ts';
import type { WebRtcSetup } from '../../../src/server/webrtc/web-rtc-connection.ts';
import { WhipEndpoint, type WhipEndpointOptions } from '../../../src/server/whip/whip-endpoint.ts';
import { chromiumOffer } from '../webrtc/offers.ts';

const origin = 'https://www.example.com';
const endpointUrl = 'https://example.com/voice/telephony/web/calls';
const certificate = createCertificate((count) => new Uint8Array(count).fill(5));

function setUp(changes: Partial<WhipEndpointOptions> = {}) {
  const clock = new VirtualClock();
  const calls: IncomingCall[] = [];
  const ends: LegEnd[] = [];
  const redeemed: (readonly [token: string, origin: string | null])[] = [];
  /** Answers of `redeem`, and whether the node takes calls. */
  const state = { grant: { callId: 'c1', origin: null } as CallGrant | null, isFull: false, refusals: 0 };
  const users = new Set<unknown>();
  const host: TelephonyHost = {
    ...{ clock, logger: silentLogger },
    admits: () => !state.isFull,
    refused: () => {
      state.refusals += 1;
    },
    onIncomingCall(call) {
      calls.push(call);
      call.onEnd((end) => ends.push(end));
    },
    async redeem(token, from) {
      redeemed.push([token, from]);
      return state.grant;
    },
  };
  let seed = 0;
  const setup = {
    ...{ clock, certificate, addresses: ['127.0.0.1'], codecs: ['pcmu'], opus: null },
    random: (count: number) => {
      seed += 1;
      return new Uint8Array(count).fill(seed);
    },
    port: {
      port: 7_882,
      hasTcp: false,
      add: (user: unknown) => users.add(user),
      remove: (user: unknown) => users.delete(user),
    },
  } as unknown as WebRtcSetup;
  const isAllowed = (from: string | undefined): boolean => from === undefined || from === origin;
  const endpoint = new WhipEndpoint({ host, setup, isAllowed, url: null, ...changes });
  const send = (method: string, { resource = '', body, ...headers }: Readonly<Record<string, string>> = {}) =>
    endpoint.fetch(
      new Request(`${endpointUrl}${resource && `/${resource}`}`, { method, headers, body: body ?? null }),
      resource,
    );
  const post = (more: Readonly<Record<string, string>> = {}) =>
    send('POST', { 'content-type': 'application/sdp', authorization: 'Bearer a-token', body: chromiumOffer, ...more });
  return { clock, calls, ends, redeemed, state, users, endpoint, send, post };
}

describe('POST with an offer', () => {
  it('starts a call, whose URL has a secret', async () => {
    const { calls, post, redeemed, users } = setUp();
    const response = await post();
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toMatch(new RegExp(`^${endpointUrl}/[\\w-]{43}$`));
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toMatch(/^v=0\r\n/);
    expect(calls).toMatchObject([{ id: 'whip-c1', grant: { callId: 'c1' }, format: { encoding: 'pcmu' } }]);
    expect([redeemed, users.size]).toEqual([[['a-token', null]], 1]);
  });

  it('has its own public URL in the location, if it has one', async () => {
    const response = await setUp({ url: 'https://node-1.example.com/calls' }).post();
    expect(response.headers.get('location')).toMatch(/^https:\/\/node-1\.example\.com\/calls\//);
  });

  it.each([
    ['another media type', { 'content-type': 'text/plain' }, 415],
    ['no token', { authorization: '' }, 401],
    ['another scheme', { authorization: 'Basic a-token' }, 401],
    ['a token with other characters', { authorization: 'Bearer a.token' }, 401],
    ['a token that is too long', { authorization: `Bearer ${'a'.repeat(101)}` }, 401],
    ['no session description', { body: 'hello' }, 400],
    ['an offer without audio', { body: chromiumOffer.replace('m=audio', 'm=video') }, 406],
    ['an offer that is too long', { body: `v=0\r\n${'a=x\r\n'.repeat(4_000)}` }, 413],
  ])('is refused with %s, and spends no token', async (_name, headers, status) => {
    const { post, redeemed, calls } = setUp();
    expect((await post(headers)).status).toBe(status);
    expect([redeemed, calls]).toEqual([[], []]);
  });

  it('accepts a media type with parameters', async () => {
    expect((await setUp().post({ 'content-type': 'Application/SDP; charset=utf-8' })).status).toBe(201);
  });

  it('is refused for an unknown token', async () => {
    const { post, state, calls } = setUp();
    state.grant = null;
    expect((await post()).status).toBe(401);
    expect(calls).toEqual([]);
  });

  it('is refused by a full node, which spends no token', async () => {
    const { post, state, redeemed } = setUp();
    state.isFull = true;
    const response = await post();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect([state.refusals, redeemed]).toEqual([1, []]);
  });

  it('is refused beyond 100 requests at once', async () => {
    const { post } = setUp();
    const statuses = await Promise.all(Array.from({ length: 101 }, async () => (await post()).status));
    expect(statuses.filter((status) => status === 503)).toHaveLength(1);
    expect((await post()).status).toBe(201);
  });
});

describe('DELETE of a call', () => {
  it('ends it once', async () => {
    const { post, send, ends, users } = setUp();
    const resource = (await post()).headers.get('location')?.slice(endpointUrl.length + 1) ?? '';
    expect((await send('DELETE', { resource: `${resource}x` })).status).toBe(404);
    expect(ends).toEqual([]);
    expect((await send('DELETE', { resource })).status).toBe(200);
    expect([ends, users.size]).toEqual([[{ cause: 'canceled' }], 0]);
    expect((await send('DELETE', { resource })).status).toBe(404);
  });

  it.each(['GET', 'PATCH', 'POST'])('is the only method of its URL: %s', async (method) => {
    const response = await setUp().send(method, { resource: 'a' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'DELETE, OPTIONS']);
  });
});

describe('pages of other origins', () => {
  it('are refused', async () => {
    const { post, redeemed } = setUp();
    const response = await post({ origin: 'https://evil.example' });
    expect([response.status, response.headers.get('access-control-allow-origin'), redeemed]).toEqual([403, null, []]);
  });

  it.each([
    ['a call', 'POST', 201],
    ['a preflight', 'OPTIONS', 204],
    ['another method', 'GET', 405],
  ])('may read the response to %s if they are allowed', async (_name, method, status) => {
    const { send, post } = setUp();
    const response = method === 'POST' ? await post({ origin }) : await send(method, { origin });
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.get('vary')).toBe('Origin');
  });

  it('are named to the host with the token', async () => {
    const { post, redeemed } = setUp();
    await post({ origin });
    expect(redeemed).toEqual([['a-token', origin]]);
  });
});

describe('a WHIP call', () => {
  it('fails when no connection is made within 10 s', async () => {
    const { clock, post, calls, ends } = setUp();
    await post();
    const refused = expect(calls[0]?.answer()).rejects.toMatchObject({ code: 'leg_ended' });
    await clock.advance(9_999);
    expect(ends).toEqual([]);
    await clock.advance(1);
    expect(ends).toEqual([{ cause: 'transport-error', message: 'WebRTC: no connection was made.' }]);
    await refused;
    expect(clock.pending).toBe(0);
  });

  it.each(['reject', 'hangup'] as const)('ends by %s of the service, once', async (end) => {
    const { post, send, calls, ends, users } = setUp();
    const resource = (await post()).headers.get('location')?.slice(endpointUrl.length + 1) ?? '';
    calls[0]?.[end]('busy');
    calls[0]?.hangup();
    expect([ends, users.size]).toEqual([[{ cause: 'local-hangup' }], 0]);
    expect((await send('DELETE', { resource })).status).toBe(404);
    await expect(calls[0]?.answer()).rejects.toMatchObject({ code: 'leg_ended' });
  });

  it('ends with its endpoint', async () => {
    const { post, endpoint, ends } = setUp();
    await post();
    await post();
    endpoint.close();
    expect(ends).toEqual([{ cause: 'local-hangup' }, { cause: 'local-hangup' }]);
  });

  it('reports its end to a listener that is added later', async () => {
    const { post, calls } = setUp();
    await post();
    calls[0]?.hangup();
    const later: LegEnd[] = [];
    calls[0]?.onEnd((end) => later.push(end));
    expect(later).toEqual([{ cause: 'local-hangup' }]);
  });
});
