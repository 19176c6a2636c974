import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, goTo, openConsole } from '../support/open-console.ts';

describe.skipIf(!hasChromium())('settings in the console', () => {
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

  const open = async (hash: string, scopes?: readonly string[]): Promise<Page> => {
    return await openConsole(browser, service.url, await service.key(scopes), hash);
  };

  it('shows the organization', async () => {
    const page = await open('#/settings');
    await page.getByText(service.orgId).waitFor();
    expectClean(page);
  });

  it('stores the key of a provider without showing it, and removes it', async () => {
    const page = await open('#/settings/providers');
    const row = page.getByRole('row').filter({ hasText: 'Example Speech' });
    await row.getByText('Not set').waitFor();
    await row.getByRole('button', { name: 'Enter a key' }).click();
    await page.getByRole('dialog').getByLabel('API key').fill('sk-secret-1');
    await page.getByRole('dialog').getByRole('button', { name: 'Store' }).click();
    await row.getByText('Set', { exact: true }).waitFor();
    expect(await page.getByText('sk-secret-1').count()).toBe(0);
    expect((await service.va.operations.byok.list(service.orgId)).example_secret_id).not.toBeNull();
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.getByText('Not set').waitFor();
    expectClean(page);
  });

  it('edits the do-not-call list, and shows the fault of an invalid number', async () => {
    const page = await open('#/settings/do-not-call');
    await page.getByLabel('Number').fill('12');
    await page.getByRole('button', { name: 'Add a number' }).click();
    await page.locator('.toasts .bad').waitFor();
    await page.getByLabel('Number').fill('+31201234567');
    await page.getByLabel('Reason').fill('<b>asked</b>');
    await page.getByRole('button', { name: 'Add a number' }).click();
    const row = page.getByRole('row').filter({ hasText: '+31201234567' });
    await row.getByText('<b>asked</b>').waitFor();
    await row.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await service.va.operations.doNotCall.list(service.orgId)).do_not_call).toEqual([]);
  });

  it('shows that there is no mail domain, and why one cannot be added', async () => {
    const page = await open('#/settings/mail');
    await page.getByLabel('Domain').fill('mail.example.com');
    await page.getByRole('button', { name: 'Add a domain' }).click();
    await page.locator('.toasts .bad').waitFor();
    const reader = await open('#/settings/mail', ['organizations:read', 'domains:read']);
    await reader.getByText('No mail domain').waitFor();
    expect(await reader.getByRole('button', { name: 'Add a domain' }).count()).toBe(0);
    await goTo(reader, '#/settings/providers');
    await reader.getByText('byok:read').waitFor();
  });
});
