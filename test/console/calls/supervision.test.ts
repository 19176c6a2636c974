import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toWav } from '@va/test-servers/audio';
import type { Browser, Page, WebSocket } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { expectClean, openConsole } from '../support/open-console.ts';
import { type LiveCall, type LiveService, startLiveService } from './live-calls.ts';

const patience = { interval: 50 };
const silentCode = 0xff;
const isLoud = (frame: Uint8Array): boolean => frame.some((code) => code !== silentCode);

describe.skipIf(!hasChromium())('a supervisor of a live call (Debian: chromium)', () => {
  let service: LiveService;
  let browser: Browser;
  let dir: string;
  beforeAll(async () => {
    service = await startLiveService();
    dir = await mkdtemp(join(tmpdir(), 'va-console-'));
    const microphone = join(dir, 'microphone.wav');
    await writeFile(microphone, toWav(tone(60)));
    browser = await launchChromium({ microphone });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await rm(dir, { recursive: true });
  });

  async function open(call: LiveCall, scopes?: readonly string[]): Promise<Page> {
    return await openConsole(browser, service.url, await service.key(scopes), `#/live/${call.id}`);
  }

  const panel = (page: Page) => page.getByRole('region', { name: 'Your audio' });
  const press = async (page: Page, name: string): Promise<void> =>
    await panel(page).getByRole('button', { name, exact: true }).click();
  /** Presses the button of the question that the page asks. */
  const confirm = async (page: Page, name: string): Promise<void> =>
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

  /** True once the caller has heard something in the last 200 ms. */
  const callerHears = ({ caller }: LiveCall): boolean => caller.sent.slice(-10).some(isLoud);
  /** Resolves once the agent's greeting is over: a supervisor would hear it too. */
  const greeted = async (page: Page, call: LiveCall): Promise<void> => {
    await page.getByText('Agent listens').waitFor();
    await vi.waitUntil(() => !callerHears(call), patience);
  };

  it('listens: hears the caller without a microphone, and is not heard', async () => {
    const call = await service.ring('+31640000001');
    const page = await open(call, ['calls:read']);
    const heard = audioOf(page);
    await panel(page).getByText('You do not hear the call.').waitFor();
    // The scope calls:read permits listening, not taking over.
    expect(await panel(page).getByRole('button').count()).toBe(1);
    await greeted(page, call);
    await press(page, 'Listen in');
    await panel(page).getByText('You hear both sides. Nobody hears you.').waitFor();
    await vi.waitUntil(() => heard.frames > 10, patience);
    expect(heard.loud).toBe(0);
    call.caller.speaks = true;
    await vi.waitUntil(() => heard.loud > 10, patience);
    call.caller.speaks = false;
    await vi.waitUntil(() => !callerHears(call), patience);
    await press(page, 'Stop listening');
    await panel(page).getByText('You do not hear the call.').waitFor();
    const before = heard.frames;
    await page.waitForTimeout(300);
    expect(heard.frames).toBe(before);
    call.caller.leave();
    await page.getByText('The call has ended.').waitFor();
    expectClean(page);
  });

  it('takes over and hands back: the caller hears the supervisor, the agent neither speaks nor answers', async () => {
    const call = await service.ring('+31640000002');
    const page = await open(call);
    const watching = await open(call);
    await greeted(page, call);
    await press(page, 'Take over');
    await confirm(page, 'Take over');
    await panel(page).getByText('You speak with the caller.').waitFor();
    await page.getByText('Agent is replaced by a person').waitFor();
    await vi.waitUntil(() => callerHears(call), patience);

    // A second supervisor sees the take-over, and can neither take over nor make the agent speak.
    await panel(watching).getByText('Another person has taken over the call.').waitFor();
    expect(await panel(watching).getByRole('button', { name: 'Take over' }).isDisabled()).toBe(true);
    await watching.getByRole('region', { name: 'Actions' }).getByLabel('The agent says').fill('Hello?');
    await watching
      .getByRole('region', { name: 'Actions' })
      .getByRole('button', { name: 'Say', exact: true })
      .last()
      .click();
    await watching.getByText('A person has taken over the call').waitFor();

    // The caller's words are in the transcript, and get no answer.
    call.caller.speaks = true;
    await page.getByText('Caller speaks').waitFor();
    call.stt.emit({ type: 'final', text: 'Is somebody there?' });
    call.caller.speaks = false;
    const transcript = page.getByRole('log', { name: 'Transcript' });
    await transcript.locator('.said.user').getByText('Is somebody there?').waitFor();
    await page.waitForTimeout(500);
    expect(await transcript.locator('.tool').count()).toBe(0);

    await press(page, 'Mute yourself');
    await panel(page).getByText('You hear the caller, who does not hear you.').waitFor();
    await vi.waitUntil(() => !callerHears(call), patience);
    await press(page, 'Unmute yourself');
    await vi.waitUntil(() => callerHears(call), patience);

    await press(page, 'Hand back');
    await panel(page).getByText('You do not hear the call.').waitFor();
    await vi.waitUntil(() => !callerHears(call), patience);
    await transcript.getByText('The call was handed back to the agent.').waitFor();
    call.caller.speaks = true;
    await page.getByText('Caller speaks').waitFor();
    call.stt.emit({ type: 'final', text: 'A table for two.' });
    call.caller.speaks = false;
    await transcript.locator('.tool').getByText('runs', { exact: true }).waitFor();
    const repliedFrom = call.caller.sent.length;
    await service.finishTool();
    await vi.waitUntil(() => call.caller.sent.slice(repliedFrom).some(isLoud), patience);
    call.caller.leave();
    await page.getByText('The call has ended.').waitFor();
    for (const each of [page, watching]) expectClean(each);
  });

  it('who listens can make the agent speak, and is disconnected at the end of the call', async () => {
    const call = await service.ring('+31640000003');
    const page = await open(call);
    const heard = audioOf(page);
    await press(page, 'Listen in');
    await panel(page).getByText('You hear both sides. Nobody hears you.').waitFor();
    await vi.waitUntil(() => heard.frames > 10, patience);
    await vi.waitUntil(() => !callerHears(call), patience);
    const before = heard.loud;
    const actions = page.getByRole('region', { name: 'Actions' });
    await actions.getByLabel('The agent says').fill('We close at ten today.');
    await actions.locator('form').getByRole('button', { name: 'Say', exact: true }).click();
    await vi.waitUntil(() => heard.loud > before + 10, patience);
    call.caller.leave();
    await page.getByText('The call has ended.').waitFor();
    await vi.waitUntil(() => heard.isClosed, patience);
    expectClean(page);
  });

  it('hands back to the agent by closing the page', async () => {
    const call = await service.ring('+31640000004');
    const page = await open(call);
    await page.getByText('Agent listens').waitFor();
    await press(page, 'Take over');
    await confirm(page, 'Take over');
    await vi.waitUntil(() => callerHears(call), patience);
    const watching = await open(call);
    await watching.getByText('Agent is replaced by a person').waitFor();
    await page.close();
    await watching.getByText('Agent listens').waitFor();
    call.caller.leave();
    await watching.getByText('The call has ended.').waitFor();
    expectClean(watching);
  });

  it('sees the level of the caller, also on a page that is opened later', async () => {
    const call = await service.ring('+31640000005');
    const page = await open(call);
    const caller = page.locator('.now .side').nth(1).locator('.level-bar');
    const scale = async (): Promise<number> => (await caller.boundingBox())?.width ?? 0;
    await vi.waitFor(async () => expect(await scale()).toBe(0), patience);
    call.caller.speaks = true;
    await vi.waitFor(async () => expect(await scale()).toBeGreaterThan(50), patience);
    call.caller.speaks = false;
    await vi.waitFor(async () => expect(await scale()).toBe(0), patience);
    await page.goto(`${service.url}#/live`);
    const row = page.getByRole('table', { name: 'Live calls' }).locator('tbody tr').filter({ hasText: '+31640000005' });
    call.caller.speaks = true;
    await vi.waitFor(async () => {
      expect((await row.locator('.level-bar').nth(1).boundingBox())?.width ?? 0).toBeGreaterThan(30);
    }, patience);
    // The level no longer changes; a page that is opened now has to show it too.
    const later = await open(call);
    await vi.waitFor(async () => {
      expect((await later.locator('.now .level-bar').nth(1).boundingBox())?.width ?? 0).toBeGreaterThan(50);
    }, patience);
    call.caller.leave();
    for (const each of [page, later]) expectClean(each);
  });
});

interface HeardAudio {
  frames: number;
  /** Frames that are not silent. */
  loud: number;
  isClosed: boolean;
}

/** Counts the frames that the service sends to a page: a sequence number, and samples of 16 bits. */
function audioOf(page: Page): HeardAudio {
  const heard: HeardAudio = { frames: 0, loud: 0, isClosed: false };
  page.on('websocket', (socket: WebSocket) => {
    socket.on('close', () => {
      heard.isClosed = true;
    });
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string') return;
      heard.frames += 1;
      const samples = payload.subarray(4);
      let peak = 0;
      for (let at = 0; at + 1 < samples.length; at += 2) peak = Math.max(peak, Math.abs(samples.readInt16LE(at)));
      if (peak > 1_000) heard.loud += 1;
    });
  });
  return heard;
}

/** A tone that is not taken for noise, at 8 kHz. */
function tone(seconds: number): Int16Array {
  return Int16Array.from({ length: 8_000 * seconds }, (_, at) => {
    const syllable = Math.sin((2 * Math.PI * 3 * at) / 8_000) > -0.5 ? 1 : 0.2;
    return 9_000 * syllable * Math.sin((2 * Math.PI * 220 * at) / 8_000);
  });
}
