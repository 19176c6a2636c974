import { createServer, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, openConsole } from '../support/open-console.ts';

describe.skipIf(!hasChromium())('webhook deliveries in the console', () => {
  let service: ConsoleService;
  let browser: Browser;
  let customer: Server;
  let answers: number[];
  beforeAll(async () => {
    answers = [];
    customer = createServer((request, response) => {
      request.resume();
      response.writeHead(answers.shift() ?? 200).end();
    });
    await new Promise<void>((resolve) => customer.listen(0, '127.0.0.1', resolve));
    const address = customer.address();
    service = await startConsoleService();
    await service.va.operations.agents.create(service.orgId, {
      name: 'Anna',
      webhook_url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`,
    });
    browser = await launchChromium({ microphone: null });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    customer.closeAllConnections();
    customer.close();
  });

  const open = async (hash: string, scopes?: readonly string[]): Promise<Page> => {
    return await openConsole(browser, service.url, await service.key(scopes), hash);
  };

  it('lists deliveries by status, shows attempts and payload, and redelivers', async () => {
    answers = [400];
    const page = await open('#/webhooks');
    await page.getByLabel('Agent').selectOption('Anna');
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.locator('.toasts .bad').waitFor();
    // The list has the delivery without being asked for again.
    await page.getByRole('cell', { name: 'Failed 400' }).waitFor();
    await page.getByLabel('Status').selectOption('Failed');
    expect(new URL(page.url()).hash).toBe('#/webhooks?status=failed');
    const row = page.getByRole('row').filter({ hasText: 'Failed 400' });
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    await page.locator('pre').filter({ hasText: '"type": "test"' }).waitFor();
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('The event is sent again.').waitFor();
    await expect
      .poll(async () => (await service.va.operations.webhookDeliveries.list(service.orgId, {})).deliveries[0]?.status)
      .toBe('delivered');
    expectClean(page);
  });

  it('shows deliveries to a key that only reads, without any action', async () => {
    const page = await open('#/webhooks', ['webhooks:read']);
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('button', { name: /Redeliver|Send/ }).count()).toBe(0);
    const other = await openConsole(
      browser,
      service.url,
      await service.key(['*'], await service.otherOrganization()),
      '#/webhooks',
    );
    await other.getByRole('heading', { name: 'No deliveries' }).waitFor();
    expectClean(page);
  });
});
