import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tone, toneLevel, toWav } from '@va/test-servers/audio';
import type { Browser } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordingOf } from '../support/stereo-recording.ts';
import { agentHz, type ToneAgent, toneAgent } from '../support/tone-agent.ts';
import { hasChromium, launchChromium } from './chromium.ts';
import { startWebService, type WebTestService } from './web-service.ts';

/** The caller's voice: beeps above the telephone band and within it, as a steady tone is removed as noise. */
const callerHz = { high: 6_000, low: 1_100 };

function beeps(seconds: number, rateHz: number): Int16Array {
  const [low, high] = [
    tone(seconds * 1_000, callerHz.low, 6_000, rateHz),
    tone(seconds * 1_000, callerHz.high, 6_000, rateHz),
  ];
  const isOn = (at: number): boolean => Math.floor((at * 4) / rateHz) % 2 === 0;
  return low.map((sample, at) => (isOn(at) ? sample + (high[at] ?? 0) : 0));
}

/** The highest levels of both tones in any 100 ms. */
function loudest(samples: Int16Array, hz: typeof callerHz, rateHz: number): typeof callerHz {
  const best = { high: 0, low: 0 };
  for (let at = 0; at + rateHz / 10 <= samples.length; at += rateHz / 10) {
    const part = samples.subarray(at, at + rateHz / 10);
    best.low = Math.max(best.low, toneLevel(part, hz.low, rateHz));
    if (rateHz > 2 * hz.high) best.high = Math.max(best.high, toneLevel(part, hz.high, rateHz));
  }
  return best;
}

describe.skipIf(!hasChromium())('a wideband call from Chromium (Debian: chromium)', () => {
  let service: WebTestService;
  let agent: ToneAgent;
  let browser: Browser | null;

  beforeEach(async () => {
    browser = null;
    agent = toneAgent();
    service = await startWebService({}, undefined, agent);
  });
  afterEach(async () => {
    await browser?.close();
    await service.close();
  });

  /** Talks for some seconds and hangs up. */
  async function call(options: object): Promise<void> {
    const microphone = join(service.dir, 'microphone.wav');
    await writeFile(microphone, toWav(beeps(20, 48_000), 48_000));
    browser = await launchChromium({ microphone });
    const page = await (await browser.newContext()).newPage();
    await page.goto(service.pageUrl);
    expect(await page.evaluate(`start(${JSON.stringify({ ...(await service.token()), ...options })})`)).toBe('started');
    await vi.waitFor(async () => expect(await page.evaluate('call.levels().output')).toBeGreaterThan(0.1), 15_000);
    const rateHz = (): number => agent.recognized[0]?.format.sampleRateHz ?? 0;
    await vi.waitFor(() => expect(agent.recognized[0]?.samples.length).toBeGreaterThan(4 * rateHz()), 15_000);
    await page.evaluate('call.hangUp()');
  }

  it('has 16 kHz from the microphone to the recognizer, in the voice and in the recording', async () => {
    await call({});
    const [recognized] = agent.recognized;
    expect(recognized?.format).toEqual({ encoding: 'pcm16', sampleRateHz: 16_000 });
    expect(agent.spoken).toEqual([{ encoding: 'pcm16', sampleRateHz: 16_000 }]);
    const atRecognizer = loudest(Int16Array.from(recognized?.samples ?? []), callerHz, 16_000);
    expect(atRecognizer.low).toBeGreaterThan(1_000);
    expect(atRecognizer.high / atRecognizer.low).toBeGreaterThan(0.3);
    const recording = await recordingOf(service, await service.ended(1));
    expect(recording.sampleRateHz).toBe(16_000);
    const caller = loudest(recording.caller, callerHz, 16_000);
    expect(caller.high / caller.low).toBeGreaterThan(0.3);
    const said = loudest(recording.agent, agentHz, 16_000);
    expect(said.high / said.low).toBeGreaterThan(0.9);
  });

  it('has 8 kHz if the page asks for it', async () => {
    await call({ wideband: false });
    expect(agent.recognized[0]?.format).toEqual({ encoding: 'pcmu', sampleRateHz: 8_000 });
    expect(loudest(Int16Array.from(agent.recognized[0]?.samples ?? []), callerHz, 8_000).low).toBeGreaterThan(1_000);
    expect((await recordingOf(service, await service.ended(1))).sampleRateHz).toBe(8_000);
  });
});
