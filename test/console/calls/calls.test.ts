import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, openConsole } from '../support/open-console.ts';

describe.skipIf(!hasChromium())('the console in Chromium (Debian: chromium)', () => {
  let service: ConsoleService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startConsoleService();
    browser = await launchChromium({ microphone: null });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it('shows that a key is unknown', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(service.url);
    await page.getByLabel('API key').fill('va_unknown');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('does not accept this key').waitFor();
  });

  it('lists calls, and finds them by words of their transcript', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    await page.getByRole('heading', { name: 'No calls' }).waitFor();
    for (const content of ['A table for two, please.', 'Where is my parcel?']) {
      await service.addCall({ messages: [{ role: 'user', content }] });
    }
    await page.reload();
    await page.getByLabel('API key').fill(await service.key());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('2 calls').waitFor();
    await page.getByRole('searchbox').fill('table tw');
    await page.keyboard.press('Enter');
    await page.getByText('1 calls').waitFor();
    expect(new URL(page.url()).hash).toBe('#/calls?q=table+tw');
    expectClean(page);
  });
});
