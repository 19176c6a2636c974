import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type Deployment, startDeployment } from '../deployment/deployment.ts';
import { type RecordIds, type Screen, screensOf } from '../deployment/screens.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, goTo, openSharedConsole } from '../support/open-console.ts';
import { findingsOf } from './axe.ts';

const startTimeoutMs = 120_000;
const widths = [1280, 360];

const noIds: RecordIds = { liveCall: '', call: '', agent: '', incompleteAgent: '', campaign: '', delivery: '' };
const names = screensOf(noIds).map(({ name }) => name);

/** Checks a page in light and dark, wide and narrow. */
async function expectAccessible(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findingsOf(page), `${colorScheme}, ${width} px`).toEqual([]);
      // Only tables and code may be wider than the page, within frames that scroll.
      expect(await page.evaluate('document.documentElement.scrollWidth'), `width of ${width} px`).toBe(width);
    }
  }
}

describe.skipIf(!hasChromium())('accessibility of the console with data', () => {
  let deployment: Deployment;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    deployment = await startDeployment();
    browser = await launchChromium({ microphone: null });
    page = await openSharedConsole(browser, deployment.service.url, await deployment.service.key());
    await deployment.live.play();
  }, startTimeoutMs);
  afterAll(async () => {
    await browser?.close();
    await deployment?.close();
  });

  const screen = (name: string): Screen => {
    const found = screensOf(deployment.ids).find((each) => each.name === name);
    if (found === undefined) throw new Error(`there is no screen ${name}`);
    return found;
  };

  // Runs first, because the speech of the live call ends after a while.
  it('animates nothing for visitors who prefer reduced motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await goTo(page, `#/live/${deployment.ids.liveCall}`);
    await screen('live-call').ready(page);
    const moving = (): Promise<unknown> => page.evaluate('document.getAnimations().length > 0');
    expect(await moving()).toBe(false);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await expect.poll(moving).toBe(true);
  });

  it.each(names)('%s meets the rules of axe-core in both schemes and widths', async (name) => {
    const { hash, ready, hasDialog } = screen(name);
    await page.setViewportSize({ width: 1280, height: 800 });
    await goTo(page, hash);
    await ready(page);
    expect(await page.locator('h1').count()).toBe(1);
    await expectAccessible(page);
    if (hasDialog) {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expectClean(page);
  });
});

describe.skipIf(!hasChromium())('accessibility of the console without data', () => {
  let service: ConsoleService;
  let browser: Browser;
  let signedIn: Page;
  beforeAll(async () => {
    service = await startConsoleService();
    browser = await launchChromium({ microphone: null });
    signedIn = await openSharedConsole(browser, service.url, await service.key());
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it('the sign-in meets the rules of axe-core, also with a refused key', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(service.url);
    await page.getByLabel('API key').fill('wrong');
    await expectAccessible(page);
    expect(await page.title()).toBe('Sign in · Voice agents');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
  });

  it.each([
    ['#/live', 'No live calls'],
    ['#/calls', 'No calls'],
    ['#/agents', 'No agents yet'],
    ['#/agents/start', 'Your first agent'],
    ['#/campaigns', 'No campaigns'],
    ['#/usage', 'No calls in this period'],
    ['#/numbers/numbers', 'No numbers'],
    ['#/numbers/trunks', 'No trunks'],
    ['#/webhooks', 'No deliveries'],
    ['#/keys/publishable', 'No publishable keys'],
    ['#/settings/do-not-call', 'No numbers'],
    ['#/calls/019a3f60-0000-7000-8000-000000000001', 'Try again'],
    ['#/agents/019a3f60-0000-7000-8000-000000000001', 'Try again'],
    ['#/campaigns/019a3f60-0000-7000-8000-000000000001', 'Try again'],
    ['#/webhooks/019a3f60-0000-7000-8000-000000000001', 'not among'],
    ['#/live/019a3f60-0000-7000-8000-000000000001', 'Try again'],
  ])('%s meets the rules of axe-core', async (hash, text) => {
    // Leaves the previous screen first, so that its text is not taken for that of this one.
    await goTo(signedIn, '#/nowhere');
    await signedIn.getByText('There is no such page.').waitFor();
    await goTo(signedIn, hash);
    await signedIn.locator('main').getByText(text).first().waitFor();
    expect(await signedIn.locator('h1').count()).toBe(1);
    await expectAccessible(signedIn);
    expectClean(signedIn);
  });
});
