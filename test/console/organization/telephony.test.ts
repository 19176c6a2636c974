import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, goTo, openConsole } from '../support/open-console.ts';

describe.skipIf(!hasChromium())('numbers and trunks in the console', () => {
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

  it('registers a number with its agent, changes it and deletes it', async () => {
    const agent = await service.va.operations.agents.create(service.orgId, { name: 'Anna' });
    const page = await open('#/numbers');
    await page.getByRole('heading', { name: 'No numbers' }).waitFor();
    await page.getByRole('button', { name: 'Register a number' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Number', { exact: true }).fill('12');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('.field .fault').waitFor();
    await dialog.getByLabel('Number', { exact: true }).fill('+31201234567');
    await dialog.getByLabel('Agent').selectOption('Anna');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row').filter({ hasText: '+31201234567' });
    await row.getByRole('link', { name: 'Anna' }).waitFor();
    const [number] = await service.va.operations.numbers.list(service.orgId);
    expect(number).toMatchObject({ number: '+31201234567', agent_id: agent.id });
    await row.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Agent').selectOption('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Nobody answers').waitFor();
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No numbers' }).waitFor();
    expectClean(page);
  });

  it('creates a SIP trunk, and never shows its password', async () => {
    const page = await open('#/numbers/trunks');
    await page.getByRole('button', { name: 'SIP provider' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Main');
    await dialog.getByLabel('Provider').fill('Example');
    await dialog.getByLabel('Address').fill('sip.example.com');
    await dialog.getByLabel('User name').fill('anna');
    await dialog.getByLabel('Password').fill('a secret');
    expect(await dialog.getByLabel('Password').getAttribute('type')).toBe('password');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row').filter({ hasText: 'sip.example.com' });
    await row.getByRole('button', { name: 'Edit' }).click();
    expect(await dialog.getByLabel('Password').inputValue()).toBe('');
    await dialog.getByLabel('Concurrent calls at most').fill('3');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('3', { exact: true }).waitFor();
    const [trunk] = await service.va.operations.trunks.list(service.orgId);
    expect(trunk).toMatchObject({ name: 'Main', auth_username: 'anna', max_concurrent_calls: 3 });
    expectClean(page);
  });

  it('shows a form for the credentials of each carrier', async () => {
    const page = await open('#/numbers/trunks');
    for (const [carrier, credential] of [
      ['Twilio', 'Auth token'],
      ['Telnyx', 'API key'],
      ['Plivo', 'Auth token'],
      ['Vonage', 'Signature secret'],
    ] as const) {
      await page.getByRole('button', { name: carrier }).click();
      await page.getByRole('dialog').getByText(credential, { exact: true }).first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expectClean(page);
  });

  it('shows why a test call is refused', async () => {
    const page = await open('#/numbers/test');
    await page.getByLabel('Your number').fill('+31201234568');
    await page.getByRole('button', { name: 'Call me' }).click();
    await page.getByRole('alert').waitFor();
    const readOnly = await open('#/numbers/test', ['numbers:read']);
    await readOnly.getByText('cannot place calls').waitFor();
  });

  it('shows numbers to a key that only reads, without any action', async () => {
    await service.va.operations.numbers.register(service.orgId, { phone_number: '+31201234569' });
    const page = await open('#/numbers', ['numbers:read']);
    await page.getByRole('rowheader', { name: '+31201234569' }).waitFor();
    expect(await page.getByRole('button', { name: /Register|Edit|Delete/ }).count()).toBe(0);
    await goTo(page, '#/numbers/trunks');
    await page.getByText('trunks:read').waitFor();
    const other = await service.otherOrganization();
    const foreign = await openConsole(browser, service.url, await service.key(['*'], other), '#/numbers');
    await foreign.getByRole('heading', { name: 'No numbers' }).waitFor();
    expectClean(page);
  });
});
