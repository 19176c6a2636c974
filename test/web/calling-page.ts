import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { humanSpeech, type Prompt, toWav } from '@va/test-servers/audio';
import type { Browser, Page } from 'playwright-core';
import { vi } from 'vitest';
import { type ChromiumOptions, launchChromium } from './chromium.ts';
import type { WebTestService } from './web-service.ts';

/** An event of the call in the page. */
export interface PageEvent {
  readonly name: string;
  readonly state?: string;
  readonly role?: string;
  readonly text?: string;
  readonly final?: boolean;
  readonly interrupted?: boolean;
  readonly reason?: string;
  readonly code?: string;
  readonly total_ms?: number;
}

/** Opens the page of a service in a browser whose microphone hears this speech: prompts, and pauses in milliseconds. */
export async function openPage(
  service: WebTestService,
  options: Partial<ChromiumOptions>,
  ...speech: (Prompt | number)[]
): Promise<{ browser: Browser; page: Page }> {
  const microphone = join(service.dir, 'microphone.wav');
  await writeFile(microphone, toWav(await humanSpeech(...speech, 60_000)));
  const browser = await launchChromium({ microphone, ...options });
  const page = await (await browser.newContext()).newPage();
  await page.goto(service.pageUrl);
  return { browser, page };
}

/** The events so far, of one name or all. */
export async function eventsOf(page: Page, name?: string): Promise<PageEvent[]> {
  const all: PageEvent[] = await page.evaluate('events');
  return name === undefined ? all : all.filter((event) => event.name === name);
}

/** Resolves to the first event with these properties. */
export async function waitForEvent(page: Page, matching: Partial<PageEvent>): Promise<PageEvent> {
  return await vi.waitFor(
    async () => {
      const all = await eventsOf(page);
      const found = all.find((event) =>
        Object.entries(matching).every(([key, value]) => event[key as never] === value),
      );
      if (found === undefined) throw new Error(`no ${JSON.stringify(matching)} in ${JSON.stringify(all)}`);
      return found;
    },
    { interval: 50 },
  );
}
