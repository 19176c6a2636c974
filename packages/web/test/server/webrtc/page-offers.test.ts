import { saying } from '@va/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PageUnderTest } from '../page-under-test.ts';
import { WebService } from '../service.ts';
import { chromiumOffer } from './offers.ts';
import { WeriftPeer } from './werift-peer.ts';

let service: WebService;
const peers: WeriftPeer[] = [];
const stops: (() => void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  for (const peer of peers.splice(0)) await peer.close();
  await service.close();
});

async function start(webrtc = true): Promise<void> {
  service = await WebService.start({
    replies: [saying('Yes.'), saying('Still here.')],
    web: webrtc ? { webrtc: { port: 0, address: '127.0.0.1' } } : {},
  });
}

async function hello(): Promise<PageUnderTest> {
  return await service.connect({ type: 'hello', version: 1, token: (await service.token()).token, webrtc: true });
}

/** Connects over WebRTC, and sends silence. */
async function connectMedia(page: PageUnderTest): Promise<WeriftPeer> {
  const peer = await WeriftPeer.create();
  peers.push(peer);
  const before = page.messages.filter(({ type }) => type === 'answer').length;
  page.send({ type: 'offer', sdp: peer.offer });
  const sdp = await vi.waitFor(() => {
    const answer = page.messages.filter((each) => each.type === 'answer')[before];
    if (answer === undefined) throw new Error('no answer');
    return answer.sdp;
  });
  await peer.accept(sdp);
  stops.push(peer.keepSpeaking());
  return peer;
}

describe('a page that offers WebRTC', () => {
  it('exchanges audio over WebRTC, and everything else over its WebSocket', async () => {
    await start();
    const page = await hello();
    expect(await page.message('ready')).toMatchObject({ webrtc: true });
    expect(page.messages.map(({ type }) => type)).not.toContain('answered');
    const peer = await connectMedia(page);
    await page.message('answered');
    await page.message('agent-heard', { text: 'Good evening.' });
    page.send({ type: 'played', sequence: 0 });
    await page.message('alive');
    page.send({ type: 'text', text: 'Are you there?' });
    await page.message('agent-heard', { text: 'Yes.' });
    // Audio and messages travel apart: either may arrive first. The greeting of 260 ms can be over before werift has
    // the keys of the media, some time after the handshake.
    await vi.waitFor(() => expect(peer.heard).toContain(0x2a), 5_000);
    expect(page.sequences).toEqual([]);
    page.send({ type: 'hang-up' });
    const call = await service.lastCall();
    expect(call.messages.map(({ content }) => content)).toEqual(['Good evening.', 'Are you there?', 'Yes.']);
    expect(call.media?.sent.packets).toBeGreaterThanOrEqual(peer.heard.length);
  });

  it('continues over another connection, and then over the WebSocket', async () => {
    await start();
    const page = await hello();
    await connectMedia(page);
    await page.message('agent-heard', { text: 'Good evening.' });
    const second = await connectMedia(page);
    await vi.waitFor(() => expect(second.heard.length).toBeGreaterThan(0), 5_000);
    page.send({ type: 'text', text: 'Are you there?' });
    await vi.waitFor(() => expect(second.heard).toContain(0x2a), 8_000);
    await page.message('agent-heard', { text: 'Yes.' });
    page.send({ type: 'use-websocket' });
    await vi.waitFor(() => expect(page.sequences.length).toBeGreaterThan(10), 5_000);
    page.send({ type: 'text', text: 'And now?' });
    await page.message('agent-heard', { text: 'Still here.' });
    expect(page.sequences.slice(0, 3)).toEqual([0, 1, 2]);
    expect(page.loud).toBeGreaterThan(0);
  });

  it('is answered over the WebSocket when it asks for that after a refused offer', async () => {
    await start();
    const page = await hello();
    await page.message('ready');
    page.send({ type: 'offer', sdp: 'nonsense' });
    await page.message('offer-refused');
    page.send({ type: 'use-websocket' });
    await page.message('answered');
    await vi.waitFor(() => expect(page.loud).toBeGreaterThan(0), 5_000);
  });

  it('gets at most five offers answered at once', async () => {
    await start();
    const page = await hello();
    await page.message('ready');
    for (let n = 0; n < 6; n++) page.send({ type: 'offer', sdp: chromiumOffer });
    await page.message('offer-refused', { message: 'The call has had too many offers.' });
    expect(page.messages.filter(({ type }) => type === 'answer')).toHaveLength(5);
  });

  it('gets the id of an offer back with its answer or refusal', async () => {
    await start();
    const page = await hello();
    await page.message('ready');
    page.send({ type: 'offer', sdp: chromiumOffer, id: 7 });
    await page.message('answer', { id: 7 });
    page.send({ type: 'offer', sdp: 'nonsense', id: 8 });
    await page.message('offer-refused', { id: 8 });
    page.send({ type: 'offer', sdp: chromiumOffer });
    const answers = await vi.waitFor(() => {
      const found = page.messages.filter(({ type }) => type === 'answer');
      expect(found).toHaveLength(2);
      return found;
    });
    expect(answers[1]).not.toHaveProperty('id');
  });

  it('is answered at once by a service without WebRTC', async () => {
    await start(false);
    const page = await hello();
    expect(await page.message('ready')).toMatchObject({ webrtc: false });
    await page.message('answered');
    page.send({ type: 'offer', sdp: chromiumOffer });
    await page.message('offer-refused');
  });
});
