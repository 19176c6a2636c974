import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { humanSpeech, type Prompt, toWav } from '@va/test-servers/audio';
import type { Browser, Page } from 'playwright-core';
import { waitMs } from '../../scripts/test-limits.ts';
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

/** Resolves to the first event with these properties. The page itself looks for it, which takes fewer messages. */
export async function waitForEvent(page: Page, matching: Partial<PageEvent>): Promise<PageEvent> {
  const isWanted = `([key, value]) => event[key] === value`;
  const find = `events.find((event) => Object.entries(${JSON.stringify(matching)}).every(${isWanted}))`;
  try {
    const found = await page.waitForFunction(find, null, { polling: 50, timeout: waitMs });
    return (await found.jsonValue()) as PageEvent;
  } catch (cause) {
    const all = JSON.stringify(await eventsOf(page));
    throw new Error(`no ${JSON.stringify(matching)} in ${all}`, { cause });
  }
}
