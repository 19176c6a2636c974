import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../web/chromium.ts';
import { type ConsoleService, startConsoleService } from './support/console-service.ts';
import { expectClean, goTo, openConsole } from './support/open-console.ts';

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

  it('moves through the rows of a list with j and k, and to the search field with a slash', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    const links = page.locator('tbody tr');
    await links.nth(1).waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => focusedRow(page)).toBe(0);
    await page.keyboard.press('j');
    await expect.poll(() => focusedRow(page)).toBe(1);
    await page.keyboard.press('k');
    await expect.poll(() => focusedRow(page)).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type('jk?');
    expect(await page.getByRole('searchbox').inputValue()).toBe('jk?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expectClean(page);
  });

  it('shows the shortcuts for a question mark, and restores the focus when they are closed', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    await page.locator('tbody tr').nth(1).waitFor();
    await page.keyboard.press('j');
    // A row has the focus once it is rendered.
    await expect.poll(() => focusedRow(page)).toBe(0);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Help: Calls' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focusedRow(page)).toBe(0);
    expectClean(page);
  });

  it('shows in the help the purpose of the page, and the keys that it handles', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    const keys = async (hash: string, ready: string): Promise<readonly string[]> => {
      await goTo(page, hash);
      await page.locator('main').getByText(ready).first().waitFor();
      await page.keyboard.press('?');
      const dialog = page.getByRole('dialog', { name: /^Help: / });
      await dialog.waitFor();
      const shown = await dialog.getByRole('region', { name: 'Keys of this page' }).locator('kbd').allTextContents();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      return shown;
    };
    await page.locator('tbody tr').nth(1).waitFor();
    expect(await keys('#/calls', '2 calls')).toEqual(['j', 'k', 'Enter', '/']);
    expect(await keys('#/agents', 'No agents yet')).toEqual(['/', 'n']);
    expect(await keys('#/keys/api', 'console')).toEqual(['j', 'k', 'Enter', 'n']);
    expect(await keys('#/settings/organization', 'Signed in as')).toEqual([]);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Help: Settings' }).getByText('do-not-call list').waitFor();
    expectClean(page);
  });

  it('presses the button of a shortcut, unless the key is typed into a field or the button is absent', async () => {
    const page = await openConsole(browser, service.url, await service.key(), '#/keys/api');
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await dialog.waitFor();
    await page.keyboard.type('nn');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('nn');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const reader = await openConsole(
      browser,
      service.url,
      await service.key(['calls:read', 'api-keys:read']),
      '#/keys/api',
    );
    await reader.getByRole('row').nth(1).waitFor();
    await reader.keyboard.press('n');
    expect(await reader.getByRole('dialog').count()).toBe(0);
  });

  it('focuses rows that have no link, and Enter never deletes one', async () => {
    const page = await openConsole(browser, service.url, await service.key(), '#/keys/api');
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('j');
    expect(await focusedRow(page)).toBe(0);
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

/** Returns the index of the row that has the focus; -1 if none has. */
async function focusedRow(page: Page): Promise<number> {
  return await page.evaluate(
    `[...document.querySelectorAll('tbody tr')].findIndex((row) => row.matches(':focus-within'))`,
  );
}
