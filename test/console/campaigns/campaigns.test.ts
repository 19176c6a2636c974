import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spokenAgent } from '../../support/spoken-agent.ts';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, openConsole } from '../support/open-console.ts';

describe.skipIf(!hasChromium())('campaigns in the console', () => {
  let service: ConsoleService;
  let browser: Browser;
  let agentId: string;
  beforeAll(async () => {
    service = await startConsoleService();
    const agent = await service.va.operations.agents.create(service.orgId, { name: 'Anna', ...spokenAgent().config });
    agentId = agent.id;
    browser = await launchChromium({ microphone: null });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = async (hash: string, scopes?: readonly string[]): Promise<Page> => {
    return await openConsole(browser, service.url, await service.key(scopes), hash);
  };
  const create = async (name: string, phones: readonly string[] = []): Promise<string> => {
    const { campaigns, leads } = service.va.operations;
    const { id } = await campaigns.create(service.orgId, {
      name,
      agent_id: agentId,
      schedule_start_time: '09:00',
      schedule_end_time: '17:00',
      timezone: 'UTC',
      // A campaign that is started waits, whatever the time of the test.
      start_date: '2099-01-01',
    });
    for (const phone of phones) await leads.add(service.orgId, id, { phone_number: phone });
    return id;
  };

  it('creates a campaign, with the faults of the API at their fields', async () => {
    const page = await open('#/campaigns');
    await page.getByRole('heading', { name: 'No campaigns' }).waitFor();
    await page.getByRole('button', { name: 'New campaign' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Spring');
    await dialog.getByLabel('Agent').selectOption('Anna');
    await dialog.getByLabel('Time zone').fill('Mars/Base');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.locator('.field').filter({ hasText: 'Time zone' }).locator('.fault').waitFor();
    await dialog.getByLabel('Time zone').fill('Europe/Amsterdam');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Spring' }).waitFor();
    const [campaign] = await service.va.operations.campaigns.list(service.orgId);
    expect(campaign).toMatchObject({
      name: 'Spring',
      agent_id: agentId,
      timezone: 'Europe/Amsterdam',
      status: 'draft',
    });
    expectClean(page);
  });

  it('previews the faults of a CSV file without storing anything, then imports it', async () => {
    const id = await create('Summer');
    const page = await open(`#/campaigns/${id}`);
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const dialog = page.getByRole('dialog');
    const csv = 'phone_number,name\n+31201234567,<b>Ann</b>\n12,Bob\n+31201234568,Cy\n';
    await dialog
      .getByLabel('CSV file')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await dialog.getByText('2 would be added').waitFor();
    await dialog.getByText('1 with faults').waitFor();
    const fault = dialog.getByRole('table', { name: 'Faults' }).locator('tbody tr');
    expect(await fault.getByRole('rowheader').first().textContent()).toBe('3');
    const stored = () => service.va.operations.leads.list(service.orgId, id, {});
    expect((await stored()).leads).toEqual([]);
    await dialog.getByRole('button', { name: 'Import 2' }).click();
    await page.getByRole('cell', { name: '<b>Ann</b>' }).waitFor();
    expect((await stored()).leads).toHaveLength(2);
    expectClean(page);
  });

  it('shows progress as it happens, and filters leads by a status in the URL', async () => {
    const id = await create('Autumn', ['+31201234567']);
    const page = await open(`#/campaigns/${id}`);
    const pending = page.locator('.funnel div').filter({ hasText: 'Pending' });
    await pending.getByText('1', { exact: true }).waitFor();
    await service.va.operations.leads.add(service.orgId, id, { phone_number: '+31201234568' });
    await pending.getByText('2', { exact: true }).waitFor();
    await page.getByRole('rowheader', { name: '+31201234568' }).waitFor();
    await page.getByLabel('Status').selectOption('Failed');
    await page.getByRole('heading', { name: 'No leads' }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#/campaigns/${id}?status=failed`);
    expectClean(page);
  });

  it('starts, pauses and cancels a campaign', async () => {
    const id = await create('Winter', ['+31201234567']);
    const page = await open(`#/campaigns/${id}`);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    const heading = page.getByRole('heading', { level: 1 });
    await heading.getByText('Paused').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the campaign' }).click();
    await heading.getByText('Cancelled').waitFor();
    expect((await service.va.operations.campaigns.get(service.orgId, id)).status).toBe('cancelled');
  });

  it('exports the leads as a file', async () => {
    const id = await create('Export', ['+31201234567']);
    const page = await open(`#/campaigns/${id}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain('+31201234567');
    expectClean(page);
  });

  it('shows campaigns to a key that only reads, without any action, and nothing of other organizations', async () => {
    const id = await create('Quiet', ['+31201234567']);
    const page = await open(`#/campaigns/${id}`, ['campaigns:read']);
    await page.getByRole('rowheader', { name: '+31201234567' }).waitFor();
    expect(await page.getByRole('button', { name: /Start|Import|Edit|Delete|Remove|Cancel/ }).count()).toBe(0);
    const other = await openConsole(
      browser,
      service.url,
      await service.key(['*'], await service.otherOrganization()),
      `#/campaigns/${id}`,
    );
    await other.getByRole('alert').waitFor();
    expect(await other.getByText('Quiet').count()).toBe(0);
    expectClean(page);
  });
});
