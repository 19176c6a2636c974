import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, goTo, openConsole } from '../support/open-console.ts';

describe.skipIf(!hasChromium())('keys in the console', () => {
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

  it('issues a key with scopes, shows it once, and revokes it', async () => {
    const page = await open('#/keys');
    await page.getByRole('button', { name: 'New API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Reports <i>');
    await dialog.getByLabel('calls:read').check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    const secret = await page.getByRole('dialog', { name: 'The new key' }).locator('code').textContent();
    const reader = await openConsole(browser, service.url, secret ?? '');
    expect(await reader.getByRole('navigation', { name: 'Menu' }).getByRole('listitem').allInnerTexts()).toEqual([
      'Live',
      'Calls',
      'Health',
    ]);
    await page.keyboard.press('Escape');
    expect(await page.getByText(secret ?? '').count()).toBe(0);
    const row = page.getByRole('row').filter({ hasText: 'Reports <i>' });
    await row.getByText('calls:read').waitFor();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    await reader.reload();
    await reader.getByLabel('API key').fill(secret ?? '');
    await reader.getByRole('button', { name: 'Sign in' }).click();
    await reader.getByRole('alert').waitFor();
    expectClean(page);
  });

  it('creates a publishable key, and shows the faults of its origins', async () => {
    const agent = await service.va.operations.agents.create(service.orgId, { name: 'Anna' });
    const page = await open('#/keys/publishable');
    await page.getByRole('button', { name: 'New publishable key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Site');
    await dialog.getByText('Anna').click();
    await dialog.getByLabel('Origins').fill('http://www.example.com');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Origins').fill('https://www.example.com');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row').filter({ hasText: 'https://www.example.com' }).waitFor();
    const [key] = await service.va.operations.publishableKeys.list(service.orgId);
    expect(key).toMatchObject({ name: 'Site', agents: [agent.id], origins: ['https://www.example.com'] });
    expectClean(page);
  });

  it('shows keys to a key that only reads, without any action', async () => {
    const page = await open('#/keys', ['api-keys:read']);
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('button', { name: /New|Revoke/ }).count()).toBe(0);
    await goTo(page, '#/keys/publishable');
    await page.getByRole('link', { name: 'Publishable keys', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /New|Revoke/ }).count()).toBe(0);
    expectClean(page);
  });
});
