import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../web/chromium.ts';
import { type ConsoleService, startConsoleService } from './console-service.ts';
import { expectClean, openConsole } from './open-console.ts';

describe.skipIf(!hasChromium())('keys of the console', () => {
  let service: ConsoleService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startConsoleService();
    browser = await launchChromium({ microphone: null });
    for (const content of ['First', 'Second']) await service.addCall({ messages: [{ role: 'user', content }] });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it('goes through the rows of a list with j and k, and to the search with a slash', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    const links = page.locator('tbody tr');
    await links.nth(1).waitFor();
    await page.keyboard.press('j');
    expect(await focusedRow(page)).toBe(0);
    await page.keyboard.press('j');
    expect(await focusedRow(page)).toBe(1);
    await page.keyboard.press('k');
    expect(await focusedRow(page)).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type('jk?');
    expect(await page.getByRole('searchbox').inputValue()).toBe('jk?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expectClean(page);
  });

  it('shows the shortcuts for a question mark, and gives the focus back when they are closed', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    await page.locator('tbody tr').nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Help: Calls' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focusedRow(page)).toBe(0);
    expectClean(page);
  });
});

/** Returns the index of the row that has the focus; -1 if none has. */
async function focusedRow(page: Page): Promise<number> {
  return await page.evaluate(
    `[...document.querySelectorAll('tbody tr')].findIndex((row) => row.matches(':focus-within'))`,
  );
}
