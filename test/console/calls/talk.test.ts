import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasHumanSpeech, humanSpeech, toWav } from '@va/test-servers/audio';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spokenAgent } from '../../support/spoken-agent.ts';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, openConsole } from '../support/open-console.ts';

describe.skipIf(!hasChromium() || !hasHumanSpeech())('a call from the editor of an agent', () => {
  let service: ConsoleService;
  let browser: Browser;
  let dir: string;
  beforeAll(async () => {
    service = await startConsoleService({ hasWebCalls: true });
    dir = await mkdtemp(join(tmpdir(), 'va-console-'));
    const microphone = join(dir, 'microphone.wav');
    await writeFile(microphone, toWav(await humanSpeech(30_000)));
    browser = await launchChromium({ microphone });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await rm(dir, { recursive: true });
  });

  it('works under the content security policy: transcript, written message, mute and end', async () => {
    const agent = await service.va.operations.agents.create(service.orgId, {
      name: 'Anna',
      ...spokenAgent().config,
      recording_enabled: false,
    });
    const page = await openConsole(browser, service.url, await service.key(), `#/agents/${agent.id}`);
    const panel = page.getByRole('complementary', { name: 'Talk to it' });
    await panel.getByRole('button', { name: 'Start a call' }).click();
    await panel.getByText('Good evening, this is the Harbor Restaurant.').waitFor();
    await panel.getByText('Listening', { exact: true }).waitFor();
    await panel.getByLabel('Say it in writing').fill('A table for <b>two</b>, please.');
    await panel.getByRole('button', { name: 'Send' }).click();
    await panel.getByText('A table for <b>two</b>, please.').waitFor();
    await panel.getByText('I have made a note of that').waitFor();
    await panel.getByRole('button', { name: 'Mute' }).click();
    await panel.getByRole('button', { name: 'Unmute' }).waitFor();
    await panel.getByRole('button', { name: 'End the call' }).click();
    await panel.getByText('Ended: user_hangup').waitFor();
    const link = panel.getByRole('link', { name: 'Open the call' });
    const [call] = (await service.va.operations.calls.list(service.orgId)).calls;
    expect(await link.getAttribute('href')).toBe(`#/calls/${call?.id}`);
    expectClean(page);
  });
});
