import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, openConsole } from '../support/open-console.ts';

describe.skipIf(!hasChromium())('the first run of the console', () => {
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

  it('leads from a provider key and engines, through a template, to an agent that can be called', async () => {
    const page = await openConsole(browser, service.url, await service.key(), '#/agents');
    await page.getByRole('link', { name: 'Set up your first agent' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Example Speech' });
    await row.getByRole('button', { name: 'Enter a key' }).click();
    await page.getByRole('dialog').getByLabel('API key').fill('sk-secret-2');
    await page.getByRole('dialog').getByRole('button', { name: 'Store' }).click();
    await row.getByText('Set', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Use' }).click();
    expect(await page.getByLabel('Voice', { exact: true }).inputValue()).toBe('example');
    expect(await page.getByRole('button', { name: 'Next: the template' }).isDisabled()).toBe(true);
    await page.getByLabel('Language model').fill('unheard-of');
    await page.getByLabel('Speech recognition').fill('pocketsphinx');
    await page.getByLabel('Voice', { exact: true }).fill('flite');
    await page.getByRole('button', { name: 'Next: the template' }).click();
    await page.getByText('Survey').click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').getByText('llm_config.provider').waitFor();
    await page.getByRole('button', { name: 'Back to the engines' }).click();
    await page.getByLabel('Language model').fill(service.plainModel);
    await page.getByRole('button', { name: 'Next: the template' }).click();
    await page.getByText('Survey').click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('The agent is ready.').waitFor();
    const [agent] = await service.va.operations.agents.list(service.orgId);
    expect(agent).toMatchObject({ name: 'Survey', llm_config: { provider: service.plainModel } });
    expect(new URL(page.url()).hash).toBe(`#/agents/start?agent=${agent?.id}`);
    expect(await page.getByRole('button', { name: 'Start a call' }).isEnabled()).toBe(true);
    expectClean(page);
  });

  it('shows that a read-only key cannot create agents', async () => {
    const page = await openConsole(browser, service.url, await service.key(['agents:read']), '#/agents/start');
    await page.getByText('cannot create agents').waitFor();
    expect(await page.getByRole('button', { name: 'Next: the template' }).count()).toBe(0);
    expectClean(page);
  });
});
