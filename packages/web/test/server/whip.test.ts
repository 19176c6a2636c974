import { saying } from '@va/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebService, type WebServiceOptions } from './service.ts';
import { chromiumOffer } from './webrtc/offers.ts';
import { WeriftPeer } from './webrtc/werift-peer.ts';

let service: WebService;
const peers: WeriftPeer[] = [];
const stops: (() => void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  for (const peer of peers.splice(0)) await peer.close();
  await service.close();
});

async function start(options: WebServiceOptions = {}): Promise<void> {
  service = await WebService.start({
    ...options,
    web: { webrtc: { port: 0, address: '127.0.0.1' }, ...options.web },
  });
}

async function created(): Promise<WeriftPeer> {
  const peer = await WeriftPeer.create();
  peers.push(peer);
  return peer;
}

async function endpoint(): Promise<{ url: string; token: string; callId: string }> {
  const { url, token, call_id: callId } = await service.token();
  return { url: url.replace(/^ws/, 'http'), token, callId };
}

interface Post {
  readonly url: string;
  readonly token?: string | undefined;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

async function post({ url, token, body = chromiumOffer, headers = {} }: Post): Promise<Response> {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/sdp', ...authorization, ...headers },
  });
}

/** Calls the agent, and sends silence. Resolves to the URL of the call. */
async function call(peer: WeriftPeer): Promise<string> {
  const response = await post({ ...(await endpoint()), body: peer.offer });
  expect(response.status).toBe(201);
  await peer.accept(await response.text());
  stops.push(peer.keepSpeaking());
  return response.headers.get('location') ?? '';
}

describe('WHIP', () => {
  it('carries a conversation with an independent client, which ends it with DELETE', async () => {
    await start({ turns: ['when do you open'], replies: [saying('We open at six.')] });
    const peer = await created();
    const location = await call(peer);
    // The scripted voice speaks 20 ms for each letter, in this code.
    await vi.waitFor(() => expect(peer.heard.filter((code) => code === 0x2a).length).toBeGreaterThanOrEqual(12), 8_000);
    await vi.waitFor(() => expect(peer.heard.slice(-10).includes(0x2a)).toBe(false), 8_000);
    await peer.speakFor(35, 0x0f);
    const before = peer.heard.length;
    await vi.waitFor(() => {
      expect(peer.heard.slice(before).filter((code) => code === 0x2a).length).toBeGreaterThan(12);
    });
    await vi.waitFor(() => expect(peer.heard.slice(-10).includes(0x2a)).toBe(false), 8_000);
    expect((await fetch(location, { method: 'DELETE' })).status).toBe(200);
    const record = await service.lastCall();
    expect(record).toMatchObject({
      direction: 'web',
      status: 'ended',
      end_reason: 'user_hangup',
      messages: [
        { role: 'assistant', content: 'Good evening.' },
        { role: 'user', content: 'when do you open' },
        { role: 'assistant', content: 'We open at six.' },
      ],
    });
    expect(record.media?.received.packets).toBeGreaterThan(50);
    expect((await fetch(location, { method: 'DELETE' })).status).toBe(404);
  });

  it('ends the call when the service hangs up', async () => {
    await start();
    const peer = await created();
    const { url, token, callId } = await endpoint();
    const response = await post({ url, token, body: peer.offer });
    await peer.accept(await response.text());
    stops.push(peer.keepSpeaking());
    await vi.waitFor(() => expect(peer.heard).toContain(0x2a), 8_000);
    await service.va.operations.calls.control(service.orgId, callId, { type: 'end-call' });
    expect(await service.lastCall()).toMatchObject({ end_reason: 'api_hangup' });
    expect((await fetch(response.headers.get('location') ?? '', { method: 'DELETE' })).status).toBe(404);
  });

  it('ends the call of a client that disappears without DELETE', async () => {
    await start();
    const peer = await created();
    await call(peer);
    await vi.waitFor(() => expect(peer.heard).toContain(0x2a), 8_000);
    await peer.close();
    expect(await service.lastCall()).toMatchObject({ status: 'failed', end_reason: 'transport_error' });
  });

  it('ends the call of a client that never connects', async () => {
    await start();
    const { url, token } = await endpoint();
    expect((await post({ url, token })).status).toBe(201);
    expect(await service.lastCall()).toMatchObject({ status: 'failed', end_reason: 'transport_error' });
  });

  it('refuses a token that was used, and keeps one whose offer was refused', async () => {
    await start();
    const { url, token } = await endpoint();
    expect((await post({ url, token, body: 'v=0 nonsense' })).status).toBe(400);
    expect((await post({ url, token, body: chromiumOffer.replace('SAVPF', 'AVPF') })).status).toBe(406);
    const first = await post({ url, token });
    expect(first.status).toBe(201);
    expect(first.headers.get('content-type')).toBe('application/sdp');
    expect(first.headers.get('location')).toMatch(new RegExp(`^${url}/[\\w-]{43}$`));
    expect((await post({ url, token })).status).toBe(401);
    const text = await first.text();
    expect(text).toContain('a=ice-lite');
    await fetch(first.headers.get('location') ?? '', { method: 'DELETE' });
  });

  it.each([
    ['without a token', { token: undefined }, 401],
    ['with another token', { token: 'x'.repeat(43) }, 401],
    ['with another type', { headers: { 'content-type': 'text/plain' } }, 415],
    ['with a long offer', { body: `v=0\r\n${'a=x\r\n'.repeat(4_000)}` }, 413],
    ['with a very long offer', { body: 'v=0\r\n'.repeat(20_000) }, 413],
    ['of another origin', { headers: { origin: 'https://evil.example' } }, 403],
  ])('refuses a request %s', async (_, change, status) => {
    await start({ web: { origins: ['https://www.example.com'] } });
    const { url, token } = await endpoint();
    expect((await post({ url, token, ...change })).status).toBe(status);
  });

  it('lets pages of the allowed origins call', async () => {
    await start({ web: { origins: ['https://www.example.com'] } });
    const { url, token } = await endpoint();
    const headers = { origin: 'https://www.example.com' };
    const preflight = await fetch(url, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://www.example.com');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type');
    const response = await post({ url, token, headers });
    expect(response.status).toBe(201);
    expect(response.headers.get('access-control-expose-headers')).toBe('Location');
    expect((await fetch(url, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await fetch(url)).status).toBe(405);
  });

  it('does not exist without the option', async () => {
    service = await WebService.start();
    const { url, token } = await endpoint();
    expect((await post({ url, token })).status).toBe(404);
  });
});
