import { hasHumanSpeech, type Prompt, wordsOf } from '@va/test-servers/audio';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hearAgent, spokenWords } from '../support/spoken-agent.ts';
import { callDurationMs, level, narrowed, recordingOf } from '../support/stereo-recording.ts';
import { eventsOf, openPage, waitForEvent } from './calling-page.ts';
import { type ChromiumOptions, hasChromium } from './chromium.ts';
import { startWebService, type WebTestService } from './web-service.ts';

const installed = hasChromium() && hasHumanSpeech();

/** Chromium lets a page that captures sound play it; other browsers keep it suspended until the next gesture. */
const suspendsAudio = `{
  let isTouched = false;
  document.addEventListener('pointerdown', () => { isTouched = true; }, true);
  window.AudioContext = class extends AudioContext {
    constructor(options) {
      super(options);
      void this.suspend();
    }
    resume() {
      return isTouched ? super.resume() : new Promise((resolve) => this.addEventListener('statechange', () => {
        if (this.state === 'running') resolve();
      }));
    }
  };
}`;

describe.skipIf(!installed)('a call from Chromium (Debian: chromium, asterisk-core-sounds-en-wav)', () => {
  let service: WebTestService;
  let browser: Browser | null;

  beforeEach(async () => {
    browser = null;
    service = await startWebService({ first_message: 'Hello.' });
  });
  afterEach(async () => {
    await browser?.close();
    await service.close();
  });

  /** Restarts the service with an agent whose first message is a long sentence. */
  async function serveSentence(): Promise<void> {
    await service.close();
    service = await startWebService();
  }

  async function open(options: Partial<ChromiumOptions> = {}, ...speech: (Prompt | number)[]): Promise<Page> {
    const opened = await openPage(service, options, ...speech);
    browser = opened.browser;
    return opened.page;
  }

  async function start(page: Page): Promise<string> {
    return await page.evaluate(`start(${JSON.stringify(await service.token())})`);
  }

  it('hears the agent, is understood, and is transcribed and recorded', async () => {
    await serveSentence();
    const page = await open({}, 6_000, 'hello-world');
    expect(await start(page)).toBe('started');
    await waitForEvent(page, { name: 'transcript', role: 'assistant', final: true });
    await waitForEvent(page, { name: 'transcript', role: 'user', text: wordsOf('hello-world'), final: true });
    const output: number[] = [];
    await vi.waitFor(
      async () => {
        output.push(await page.evaluate('call.levels().output'));
        const said = (await eventsOf(page, 'transcript')).filter(({ role, final }) => role === 'assistant' && final);
        expect(said).toHaveLength(2);
      },
      { interval: 50 },
    );
    expect(Math.max(...output)).toBeGreaterThan(0.02);
    const [latency] = await eventsOf(page, 'latency');
    expect(latency?.total_ms).toBeGreaterThan(0);
    const states = (await eventsOf(page, 'state')).map(({ state }) => state);
    expect(states.slice(0, 2)).toEqual(['connecting', 'listening']);
    expect(states).toContain('thinking');
    expect(states).toContain('speaking');
    await page.evaluate('call.hangUp()');

    const call = await service.ended(1);
    expect(call).toMatchObject({ direction: 'web', status: 'ended', end_reason: 'user_hangup' });
    expect(call.messages).toMatchObject([
      { role: 'assistant' },
      { role: 'user', content: wordsOf('hello-world') },
      { role: 'assistant' },
    ]);
    expect(call.media).toMatchObject({ received: { packets_lost: 0, packets_dropped: 0 } });
    expect(call.media?.received.packets).toBeGreaterThan(callDurationMs(call) / 20 - 50);
    const recording = narrowed(await recordingOf(service, call));
    expect(Math.abs(recording.durationMs - callDurationMs(call))).toBeLessThan(500);
    expect(level(recording.agent, 500, 3_000)).toBeGreaterThan(300);
    expect(level(recording.caller, 500, 3_000)).toBeLessThan(100);
    expect(await hearAgent(recording.agent.subarray(0, 5_500 * 8))).toBe(spokenWords.firstMessage);
  });

  it('interrupts the agent, and shows what was heard of it', async () => {
    await serveSentence();
    const page = await open({}, 2_500, 'conf-getconfno');
    await start(page);
    const heard = await waitForEvent(page, { name: 'transcript', role: 'assistant', final: true, interrupted: true });
    expect('Good evening, this is the Harbor Restaurant. How can I help you?').toContain(heard.text?.replace(/…$/, ''));
    await waitForEvent(page, { name: 'transcript', role: 'user', text: wordsOf('conf-getconfno'), final: true });
    await page.evaluate('call.hangUp()');
    const call = await service.ended(1);
    expect(call.messages.slice(0, 2)).toEqual([
      { role: 'assistant', content: heard.text },
      { role: 'user', content: wordsOf('conf-getconfno') },
    ]);
  });

  it('continues after a network outage of 5 s', async () => {
    const page = await open({}, 12_500, 'hello-world');
    await start(page);
    await waitForEvent(page, { name: 'transcript', role: 'assistant', final: true });
    service.network.cut();
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect((await eventsOf(page, 'state')).at(-1)?.state).toBe('reconnecting');
    service.network.restore();
    await vi.waitFor(async () => expect((await eventsOf(page, 'state')).at(-1)?.state).toBe('listening'), 10_000);
    await waitForEvent(page, { name: 'transcript', role: 'user', text: wordsOf('hello-world'), final: true });
    expect(service.calls).toEqual([]);
    await page.evaluate('call.hangUp()');
    const call = await service.ended(1);
    expect(call.messages.map(({ role }) => role).slice(0, 2)).toEqual(['assistant', 'user']);
  });

  it('ends when the network does not return', async () => {
    const page = await open({}, 1_000);
    await start(page);
    await waitForEvent(page, { name: 'transcript', role: 'assistant', final: true });
    service.network.cut();
    expect(await waitForEvent(page, { name: 'ended' })).toMatchObject({ code: 'connection-lost' });
    expect(await service.ended(1)).toMatchObject({ status: 'failed', end_reason: 'transport_error' });
  });

  it('ends when the page is reloaded, and its token is refused to another tab', async () => {
    const page = await open({}, 1_000);
    const options = await service.token();
    await page.evaluate(`start(${JSON.stringify(options)})`);
    await waitForEvent(page, { name: 'state', state: 'listening' });
    const tab = await page.context().newPage();
    await tab.goto(service.pageUrl);
    await tab.evaluate(`start(${JSON.stringify(options)})`);
    expect(await waitForEvent(tab, { name: 'ended' })).toMatchObject({ code: 'token-refused' });
    expect(service.calls).toEqual([]);
    // A tab in the background may have been without processor time for so long that it reconnects.
    await page.bringToFront();
    await vi.waitFor(async () => expect(await page.evaluate('call.state')).toBe('listening'), { interval: 50 });
    await page.reload();
    expect(await service.ended(1)).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
  });

  it('reports that the microphone was refused', async () => {
    const page = await open({ isAllowed: false }, 1_000);
    expect(await start(page)).toBe('permission-denied');
    expect(await waitForEvent(page, { name: 'ended' })).toMatchObject({ reason: 'failed', code: 'permission-denied' });
  });

  it('reports that there is no microphone', async () => {
    const page = await open({ microphone: null }, 1_000);
    await page.context().grantPermissions(['microphone']);
    expect(await start(page)).toBe('no-device');
  });

  it('waits for a gesture where the browser suspends audio', async () => {
    const page = await open({}, 1_000);
    await page.addInitScript(suspendsAudio);
    await page.reload();
    await page.evaluate(`prepare(${JSON.stringify(await service.token())}); void call.start(); 0`);
    await waitForEvent(page, { name: 'suspended' });
    expect((await eventsOf(page, 'state')).map(({ state }) => state)).toEqual(['connecting']);
    await page.click('button');
    await waitForEvent(page, { name: 'transcript', role: 'assistant', final: true });
  });
});
