import type { NewAgent } from '@va/core';
import { loadOpus } from '@va/media';
import { hasHumanSpeech, type Prompt, wordsOf } from '@va/test-servers/audio';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hearAgent, spokenWords } from '../support/spoken-agent.ts';
import { callDurationMs, level, narrowed, recordingOf } from '../support/stereo-recording.ts';
import { eventsOf, openPage, waitForEvent } from './calling-page.ts';
import { hasChromium } from './chromium.ts';
import { MediaNetwork, networkAddress } from './media-network.ts';
import { startWebService, type WebTestService } from './web-service.ts';

const installed = hasChromium() && hasHumanSpeech();
const hasOpus = (await loadOpus()) !== null;

/** Has the page offer the fingerprint of another certificate. */
const forgesFingerprint = `{
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    const forged = 'sha-256 ${'AB:'.repeat(31)}AB';
    send.call(this, typeof data === 'string' ? data.replace(/sha-256 [0-9A-F:]+/, forged) : data);
  };
}`;

describe.skipIf(!installed)('a WebRTC call from Chromium (Debian: chromium, asterisk-core-sounds-en-wav)', () => {
  let service: WebTestService;
  let media: MediaNetwork;
  let browser: Browser | null;

  beforeEach(async () => {
    browser = null;
    await serve({ first_message: 'Hello.' });
  });
  afterEach(async () => {
    await browser?.close();
    await stop();
  });

  async function serve(agent: Partial<NewAgent>, codec: 'pcmu' | 'opus' = 'pcmu'): Promise<void> {
    const port = await MediaNetwork.freePort();
    const webrtc = { port, address: '127.0.0.1', announce: [networkAddress], codecs: [codec] };
    service = await startWebService(agent, { webrtc });
    media = await MediaNetwork.start(port);
  }

  async function stop(): Promise<void> {
    await service.close();
    await media.close();
  }

  /** Restarts the service with an agent whose first message is a long sentence. */
  async function serveSentence(codec?: 'opus'): Promise<void> {
    await stop();
    await serve({}, codec);
  }

  async function open(...speech: (Prompt | number)[]): Promise<Page> {
    const opened = await openPage(service, {}, ...speech);
    browser = opened.browser;
    return opened.page;
  }

  async function start(page: Page, transport = 'auto'): Promise<string> {
    return await page.evaluate(`start(${JSON.stringify({ ...(await service.token()), transport })})`);
  }

  async function greeted(page: Page): Promise<void> {
    await waitForEvent(page, { name: 'transcript', role: 'assistant', final: true });
  }

  it('hears the agent, is understood, and is transcribed and recorded', async () => {
    await serveSentence();
    const page = await open(7_000, 'hello-world');
    expect(await start(page, 'webrtc')).toBe('started');
    await greeted(page);
    expect(await page.evaluate('call.transport')).toBe('webrtc');
    await waitForEvent(page, { name: 'transcript', role: 'user', text: wordsOf('hello-world'), final: true });
    const levels: { input: number; output: number }[] = [];
    await vi.waitFor(
      async () => {
        levels.push(await page.evaluate('call.levels()'));
        const said = (await eventsOf(page, 'transcript')).filter(({ role, final }) => role === 'assistant' && final);
        expect(said).toHaveLength(2);
      },
      { interval: 50 },
    );
    expect(Math.max(...levels.map(({ output }) => output))).toBeGreaterThan(0.02);
    await page.evaluate('call.hangUp()');

    const call = await service.ended(1);
    expect(call).toMatchObject({ direction: 'web', status: 'ended', end_reason: 'user_hangup' });
    expect(call.messages).toMatchObject([
      { role: 'assistant' },
      { role: 'user', content: wordsOf('hello-world') },
      { role: 'assistant' },
    ]);
    expect(call.media).toMatchObject({ received: { packets_lost: 0 } });
    expect(call.media?.received.packets).toBeGreaterThan(callDurationMs(call) / 20 - 60);
    expect(media.passed.udp).toBeGreaterThan(100);
    expect(media.passed.tcp).toBeLessThan(50);
    const recording = await recordingOf(service, call);
    expect(Math.abs(recording.durationMs - callDurationMs(call))).toBeLessThan(500);
    expect(level(recording.agent, 500, 3_000)).toBeGreaterThan(300);
    expect(level(recording.caller, 500, 3_000)).toBeLessThan(100);
    expect(await hearAgent(recording.agent.subarray(0, 5_500 * 8))).toBe(spokenWords.firstMessage);
  });

  it.skipIf(!hasOpus)('speaks Opus where @discordjs/opus is installed (npm run natives)', async () => {
    await serveSentence('opus');
    const page = await open(7_000, 'hello-world');
    await start(page, 'webrtc');
    await waitForEvent(page, { name: 'transcript', role: 'user', text: wordsOf('hello-world'), final: true });
    await page.evaluate('call.hangUp()');
    const call = await service.ended(1);
    const recording = narrowed(await recordingOf(service, call));
    expect(await hearAgent(recording.agent.subarray(0, 5_500 * 8))).toBe(spokenWords.firstMessage);
  });

  it('interrupts the agent, and shows what was heard of it', async () => {
    await serveSentence();
    const page = await open(2_500, 'conf-getconfno');
    await start(page, 'webrtc');
    const heard = await waitForEvent(page, { name: 'transcript', role: 'assistant', final: true, interrupted: true });
    await waitForEvent(page, { name: 'transcript', role: 'user', text: wordsOf('conf-getconfno'), final: true });
    await page.evaluate('call.hangUp()');
    const call = await service.ended(1);
    expect(call.messages.slice(0, 2)).toEqual([
      { role: 'assistant', content: heard.text },
      { role: 'user', content: wordsOf('conf-getconfno') },
    ]);
  });

  it('uses TCP where UDP is blocked', async () => {
    media.losesUdp = true;
    const page = await open(5_000, 'hello-world');
    await start(page);
    await waitForEvent(page, { name: 'transcript', role: 'user', text: wordsOf('hello-world'), final: true });
    expect(await page.evaluate('call.transport')).toBe('webrtc');
    expect(media.passed.tcp).toBeGreaterThan(100);
    await page.evaluate('call.hangUp()');
    expect(await service.ended(1)).toMatchObject({ end_reason: 'user_hangup' });
  });

  it('falls back to the WebSocket where the port is blocked', async () => {
    media.cut();
    const page = await open(6_000, 'hello-world');
    await start(page);
    await waitForEvent(page, { name: 'transcript', role: 'user', text: wordsOf('hello-world'), final: true });
    expect(await page.evaluate('call.transport')).toBe('websocket');
    await page.evaluate('call.hangUp()');
    expect(await service.ended(1)).toMatchObject({ end_reason: 'user_hangup' });
  });

  it('fails where the port is blocked and the WebSocket is not allowed', async () => {
    media.cut();
    const page = await open(1_000);
    await start(page, 'webrtc');
    expect(await waitForEvent(page, { name: 'ended' })).toMatchObject({ code: 'connection-failed' });
    await page.evaluate('call.hangUp()');
  });

  it('continues over WebRTC after a network outage of 5 s', async () => {
    const page = await open(14_500, 'hello-world');
    await start(page);
    await greeted(page);
    service.network.cut();
    media.cut();
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect((await eventsOf(page, 'state')).at(-1)?.state).toBe('reconnecting');
    service.network.restore();
    media.restore();
    await vi.waitFor(async () => expect((await eventsOf(page, 'state')).at(-1)?.state).toBe('listening'), 10_000);
    await waitForEvent(page, { name: 'transcript', role: 'user', text: wordsOf('hello-world'), final: true });
    expect(await page.evaluate('call.transport')).toBe('webrtc');
    await page.evaluate('call.hangUp()');
    expect(await service.ended(1)).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
  });

  it('falls back to the WebSocket when the media connection is lost for good', async () => {
    const page = await open(12_500, 'hello-world');
    await start(page);
    await greeted(page);
    media.cut();
    await vi.waitFor(async () => expect(await page.evaluate('call.transport')).toBe('websocket'), 10_000);
    await waitForEvent(page, { name: 'transcript', role: 'user', text: wordsOf('hello-world'), final: true });
    expect((await eventsOf(page, 'state')).map(({ state }) => state)).toContain('reconnecting');
    await page.evaluate('call.hangUp()');
    expect(await service.ended(1)).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
  });

  it('ends when the service hangs up, and when the page is reloaded', async () => {
    const page = await open(1_000);
    const options = await service.token();
    await page.evaluate(`start(${JSON.stringify(options)})`);
    await greeted(page);
    await service.hangUp(options.call_id);
    expect(await waitForEvent(page, { name: 'ended' })).toMatchObject({ reason: 'api_hangup' });
    await page.reload();
    await start(page);
    await greeted(page);
    await page.reload();
    expect(await service.ended(2)).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
  });

  it('mutes the microphone', async () => {
    const page = await open(4_500, 'hello-world');
    await start(page);
    await greeted(page);
    await page.evaluate('call.mute(true)');
    expect(await page.evaluate('call.levels().input')).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    await page.evaluate('call.hangUp()');
    const call = await service.ended(1);
    expect(call.messages.map(({ role }) => role)).not.toContain('user');
    const { caller, durationMs } = await recordingOf(service, call);
    expect(durationMs).toBeGreaterThan(5_500);
    expect(level(caller, 3_000, durationMs)).toBeLessThan(10);
  });

  it('refuses the token of a call to another tab', async () => {
    const page = await open(1_000);
    const options = await service.token();
    await page.evaluate(`start(${JSON.stringify(options)})`);
    await greeted(page);
    const tab = await page.context().newPage();
    await tab.goto(service.pageUrl);
    await tab.evaluate(`start(${JSON.stringify(options)})`);
    expect(await waitForEvent(tab, { name: 'ended' })).toMatchObject({ code: 'token-refused' });
    expect(service.calls).toEqual([]);
  });

  it('falls back to the WebSocket when the certificate is not that of the offer', async () => {
    const page = await open(1_000);
    await page.addInitScript(forgesFingerprint);
    await page.reload();
    await start(page);
    await greeted(page);
    expect(await page.evaluate('call.transport')).toBe('websocket');
  });
});
