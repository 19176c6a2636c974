import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spokenAgent } from '../support/spoken-agent.ts';
import { hasChromium, launchChromium } from '../web/chromium.ts';
import { type ConsoleService, startConsoleService } from './support/console-service.ts';
import { expectClean, goTo, openConsole } from './support/open-console.ts';

describe.skipIf(!hasChromium())('changes that the service refuses', () => {
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

  /** Holds back the requests that change something, and refuses them once `refuse` is called. */
  async function open(hash: string): Promise<{ readonly page: Page; readonly refuse: () => void }> {
    const page = await openConsole(browser, service.url, await service.key());
    let refuse = (): void => {};
    const refused = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    await page.route('**/api/v1/**', async (route) => {
      if (route.request().method() === 'GET') return await route.continue();
      await refused;
      await route.fulfill({
        status: 409,
        headers: { 'x-request-id': 'req-123' },
        json: { code: 'conflict', message: 'Somebody else was faster.' },
      });
    });
    await goTo(page, hash);
    return { page, refuse };
  }

  async function expectRefused(page: Page): Promise<void> {
    const notice = page.locator('.toasts .bad');
    await notice.getByText('Somebody else was faster.').waitFor();
    await notice.getByText('req-123').waitFor();
    expectClean(page);
  }

  const row = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });
  const confirm = (page: Page, name: string): Promise<void> =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

  it('are undone for a number and a trunk that are switched on or off', async () => {
    await service.va.operations.numbers.register(service.orgId, { phone_number: '+31201234501' });
    await service.va.operations.trunks.create(service.orgId, {
      ...{ type: 'sip', name: 'Amsterdam', provider: 'Carrier', address: 'sip.example.com' },
    });
    for (const [hash, name] of [
      ['#/numbers/numbers', '+31201234501'],
      ['#/numbers/trunks', 'Amsterdam'],
    ] as const) {
      const { page, refuse } = await open(hash);
      const state = page.getByRole('switch', { name: `${name} is active` });
      expect(await state.getAttribute('aria-checked')).toBe('true');
      await state.click();
      await page.getByRole('switch', { name, checked: false }).waitFor();
      refuse();
      await page.getByRole('switch', { name, checked: true }).waitFor();
      await expectRefused(page);
    }
  });

  it('are undone for a deleted agent, number and trunk', async () => {
    await service.va.operations.agents.create(service.orgId, { name: 'Anna', ...spokenAgent().config });
    for (const [hash, text] of [
      ['#/agents', 'Anna'],
      ['#/numbers/numbers', '+31201234501'],
      ['#/numbers/trunks', 'Amsterdam'],
    ] as const) {
      const { page, refuse } = await open(hash);
      await row(page, text).getByRole('button', { name: 'Delete' }).click();
      await confirm(page, 'Delete');
      await row(page, text).waitFor({ state: 'detached' });
      refuse();
      await row(page, text).waitFor();
      await expectRefused(page);
    }
  });

  it('are undone for revoked keys', async () => {
    const { id } = await service.va.operations.agents.create(service.orgId, { name: 'Ben', ...spokenAgent().config });
    await service.va.operations.apiKeys.issue(service.orgId, { name: 'Reports', scopes: ['usage:read'] });
    await service.va.operations.publishableKeys.create(service.orgId, {
      ...{ name: 'Website', agents: [id], origins: ['https://www.example.com'] },
    });
    const api = await open('#/keys/api');
    await row(api.page, 'Reports').getByRole('button', { name: 'Revoke' }).click();
    await confirm(api.page, 'Revoke');
    await row(api.page, 'Reports').waitFor({ state: 'detached' });
    api.refuse();
    await row(api.page, 'Reports').waitFor();
    await expectRefused(api.page);

    const publishable = await open('#/keys/publishable');
    await row(publishable.page, 'Website').getByRole('button', { name: 'Revoke' }).click();
    await confirm(publishable.page, 'Revoke');
    await row(publishable.page, 'Website').getByText('Revoked').waitFor();
    publishable.refuse();
    await row(publishable.page, 'Website').getByText('Valid').waitFor();
    await expectRefused(publishable.page);
  });

  it('are undone for a paused campaign', async () => {
    const { id } = await service.va.operations.agents.create(service.orgId, { name: 'Cy', ...spokenAgent().config });
    const campaign = await service.va.operations.campaigns.create(service.orgId, {
      ...{ name: 'Spring', agent_id: id, schedule_start_time: '09:00', schedule_end_time: '17:00', timezone: 'UTC' },
      start_date: '2099-01-01',
    });
    await service.va.operations.leads.add(service.orgId, campaign.id, { phone_number: '+31201234567' });
    await service.va.operations.campaigns.update(service.orgId, campaign.id, { status: 'scheduled' });
    const { page, refuse } = await open(`#/campaigns/${campaign.id}`);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.getByText('Scheduled').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await heading.getByText('Paused').waitFor();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    refuse();
    await heading.getByText('Scheduled').waitFor();
    await expectRefused(page);
  });

  it('are undone for the do-not-call list, and restore the entered number', async () => {
    await service.va.operations.doNotCall.add(service.orgId, { phone_number: '+31612345670', reason: 'Asked' });
    const adding = await open('#/settings/do-not-call');
    await row(adding.page, 'Asked').waitFor();
    await adding.page.getByLabel('Number').fill('+31612345671');
    await adding.page.getByRole('button', { name: 'Add a number' }).click();
    await row(adding.page, '+31612345671').waitFor();
    adding.refuse();
    await row(adding.page, '+31612345671').waitFor({ state: 'detached' });
    expect(await adding.page.getByLabel('Number').inputValue()).toBe('+31612345671');
    await expectRefused(adding.page);

    const removing = await open('#/settings/do-not-call');
    await row(removing.page, 'Asked').getByRole('button', { name: 'Remove' }).click();
    await row(removing.page, 'Asked').waitFor({ state: 'detached' });
    removing.refuse();
    await row(removing.page, 'Asked').waitFor();
    await expectRefused(removing.page);
  });

  it('are undone for a removed key of a provider', async () => {
    await service.va.operations.byok.set(service.orgId, { provider: 'example', api_key: 'sk-example' });
    const { page, refuse } = await open('#/settings/providers');
    await row(page, 'Example Speech').getByRole('button', { name: 'Remove' }).click();
    await confirm(page, 'Remove');
    await row(page, 'Example Speech').getByText('Not set').waitFor();
    refuse();
    await row(page, 'Example Speech').getByText('Set', { exact: true }).waitFor();
    await expectRefused(page);
  });

  it('are undone for a redelivered webhook', async () => {
    const created_at = '2026-03-12T10:00:00.000Z';
    await service.storage.webhookDeliveries.insert(service.orgId, {
      ...{ id: '019a3f60-0000-7000-8000-000000000009', webhook_id: 'msg_1', agent_id: null, call_id: null },
      ...{ event: 'status-update', url: 'https://example.com/hook', status: 'failed', status_code: 503, attempts: [] },
      ...{ payload: {}, created_at, updated_at: created_at, delivered_at: null },
    });
    for (const hash of ['#/webhooks', '#/webhooks/019a3f60-0000-7000-8000-000000000009']) {
      const { page, refuse } = await open(hash);
      await page.locator('.badge').getByText('Failed 503').waitFor();
      await page.getByRole('button', { name: 'Redeliver' }).click();
      await page.locator('.badge').getByText('Pending 503').waitFor();
      refuse();
      await page.locator('.badge').getByText('Failed 503').waitFor();
      await expectRefused(page);
    }
  });
});
