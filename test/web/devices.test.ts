import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasHumanSpeech, humanSpeech, toWav, wordsOf } from '@va/test-servers/audio';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasChromium, launchChromium } from './chromium.ts';
import { startWebService, type WebTestService } from './web-service.ts';

const installed = hasChromium() && hasHumanSpeech();

/** Keeps the microphones that the page opens, and the elements that play to a chosen loudspeaker. */
const observeDevices = `
  window.microphones = [];
  window.players = new Set();
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async (constraints) => {
    const stream = await open(constraints);
    microphones.push(stream.getAudioTracks()[0]);
    return stream;
  };
  const { setSinkId } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.setSinkId = function (id) {
    players.add(this);
    return setSinkId.call(this, id);
  };`;

/** Devices of Chromium's fake hardware beside the default one, by kind. */
const otherDevice = (kind: string): string => `navigator.mediaDevices.enumerateDevices().then((devices) =>
  devices.find(({ kind, deviceId, label }) =>
    kind === '${kind}' && deviceId !== 'default' && !/default/i.test(label)).deviceId)`;

describe.skipIf(!installed)('devices in Chromium (Debian: chromium, asterisk-core-sounds-en-wav)', () => {
  let service: WebTestService;
  let browser: Browser;
  let page: Page;

  beforeEach(async () => {
    service = await startWebService({ first_message: 'Hello.' });
    const microphone = join(service.dir, 'microphone.wav');
    // The fake microphone starts from the beginning whenever one is opened, and repeats the recording.
    await writeFile(microphone, toWav(await humanSpeech(3_000, 'hello-world', 5_000)));
    browser = await launchChromium({ microphone });
    page = await browser.newPage();
    await page.addInitScript(observeDevices);
    await page.goto(service.pageUrl);
    expect(await page.evaluate(`start(${JSON.stringify(await service.token())})`)).toBe('started');
    await transcripts('assistant', 1);
  });
  afterEach(async () => {
    await browser.close();
    await service.close();
  });

  async function transcripts(role: string, count: number): Promise<string[]> {
    const said = `events.filter((event) => event.role === '${role}' && event.final).map(({ text }) => text)`;
    return await vi.waitFor(
      async () => {
        const texts: string[] = await page.evaluate(said);
        expect(texts.length).toBeGreaterThanOrEqual(count);
        return texts;
      },
      { interval: 50 },
    );
  }

  /** Waits for the phrase: a busy machine may play the recording with gaps, and then a part is misrecognized. */
  async function expectHeard(): Promise<void> {
    await vi.waitFor(async () => expect((await transcripts('user', 1)).join(' ')).toContain(wordsOf('hello-world')));
  }

  it('setInputDevice opens another microphone, and releases the previous one', async () => {
    const id: string = await page.evaluate(otherDevice('audioinput'));
    await page.evaluate(`call.setInputDevice(${JSON.stringify(id)})`);
    const tracks = `microphones.map((track) => [track.readyState, track.getSettings().deviceId])`;
    const [first, second, ...rest]: string[][] = await page.evaluate(tracks);
    expect([first?.[0], second, rest]).toEqual(['ended', ['live', id], []]);
    // The new microphone is heard from its beginning on.
    await expectHeard();
    await page.evaluate('call.hangUp()');
    expect(await service.ended(1)).toMatchObject({ end_reason: 'user_hangup' });
  });

  it('setInputDevice keeps the microphone when there is no such device', async () => {
    const failing = `call.setInputDevice('none').then(() => 'changed', ({ code }) => code)`;
    expect(await page.evaluate(failing)).toBe('no-device');
    expect(await page.evaluate('microphones.map(({ readyState }) => readyState)')).toEqual(['live']);
    expect(await page.evaluate('call.state')).not.toBe('ended');
    await expectHeard();
  });

  it('setOutputDevice plays the current and the later speech to another loudspeaker', async () => {
    const id: string = await page.evaluate(otherDevice('audiooutput'));
    await page.evaluate(`call.setOutputDevice(${JSON.stringify(id)})`);
    const sinks = '[...players].map(({ sinkId, paused }) => [sinkId, paused])';
    expect(await page.evaluate(sinks)).toEqual([[id, false]]);
    await transcripts('assistant', 2);
    expect(await page.evaluate(sinks)).toEqual([[id, false]]);
  });

  it('setOutputDevice keeps the loudspeaker when there is no such device', async () => {
    const failing = `call.setOutputDevice('none').then(() => 'changed', ({ code }) => code)`;
    expect(await page.evaluate(failing)).toBe('no-device');
    expect(await page.evaluate('[...players].map(({ sinkId }) => sinkId)')).toEqual(['']);
    expect(await page.evaluate('call.state')).not.toBe('ended');
  });
});
