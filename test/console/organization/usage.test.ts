import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallStatisticsRecord, turnClassFields } from '../../../packages/core/src/domain/calls/call-statistics.ts';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, openConsole } from '../support/open-console.ts';

describe.skipIf(!hasChromium())('usage and quality in Chromium (Debian: chromium)', () => {
  let service: ConsoleService;
  let browser: Browser;
  let agentId: string;
  beforeAll(async () => {
    service = await startConsoleService();
    browser = await launchChromium({ microphone: null });
    const agent = await service.va.operations.agents.create(service.orgId, { name: '=cmd|<img src=x>' });
    agentId = agent.id;
    for (const day of ['2026-01-02', '2026-01-02', '2026-01-04']) await addStatistics({ day });
    await addStatistics({ day: '2026-01-04', agent_id: agentId, end_reason: 'llm_error', failed_tools: 2 });
    await service.storage.usageLogs.insert(service.orgId, {
      ...{
        id: crypto.randomUUID(),
        call_id: crypto.randomUUID(),
        agent_id: agentId,
        duration_seconds: 60,
        minutes_used: 1,
        cost: 0.5,
      },
      cost_breakdown: [
        {
          ...{ provider: 'openai', model: 'gpt', kind: 'input_tokens', quantity: 1_500, unit: 'token', price: 0.5 },
          ...{ is_estimate: false, own_key: true },
        },
      ],
      ...{ agent_name: null, business_name: null, phone_number: null, call_type: 'phone', direction: 'inbound' },
      ...{ currency: null, publishable_key_id: null, created_at: '2026-01-02T12:00:00.000Z' },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function addStatistics(changes: Partial<CallStatisticsRecord> & { readonly day: string }): Promise<void> {
    const turns = Object.fromEntries(turnClassFields.map((field) => [field, 0]));
    await service.storage.callStatistics.insert(service.orgId, {
      ...(turns as Pick<CallStatisticsRecord, (typeof turnClassFields)[number]>),
      ...{
        id: crypto.randomUUID(),
        agent_id: null,
        campaign_id: null,
        direction: 'inbound',
        end_reason: 'user_hangup',
      },
      ...{ answered: 1, duration_seconds: 90, cost: 0.25, turns: 2, turns_to_500: 2, interruptions: 1, tool_calls: 3 },
      ...{ failed_tools: 0, created_at: `${changes.day}T12:00:00.000Z`, ...changes },
    });
  }

  const link = '#/usage?from=2026-01-01&to=2026-01-05';

  it('shows charts, a table and the costs of a period', async () => {
    const page = await openConsole(browser, service.url, await service.key(), link);
    await page.locator('.chart canvas').nth(5).waitFor();
    await page.getByRole('row', { name: '2026-01-04 2 2 3' }).waitFor();
    const total = page.locator('tfoot tr');
    expect(await total.locator('td').allTextContents()).toEqual([
      '4',
      '4',
      '6',
      '1',
      '450 ms',
      '495 ms',
      '4',
      '2 / 12',
    ]);
    await page.locator('.shares').getByText('Model failed').waitFor();
    await page.getByRole('cell', { name: '1,500 token' }).waitFor();
    await page.getByText('own key').waitFor();
    expectClean(page);
  });

  it('groups by agent, and saves the table without formulas', async () => {
    const page = await openConsole(browser, service.url, await service.key(), link);
    await page.getByRole('combobox', { name: 'By' }).selectOption('agent');
    await page.getByRole('rowheader', { name: '=cmd|<img src=x>' }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(new URL(page.url()).hash).toBe(`${link}&group=agent`);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('calls-by-agent-2026-01-01-2026-01-05.csv');
    const lines = (await readFile(await saved.path(), 'utf8')).split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toBe('None,,3,3,4.5,0.75,450,495,3,9,0');
    expect(lines[2]).toBe(`'=cmd|<img src=x>,${agentId},1,1,1.5,0.25,450,495,1,3,2`);
    expectClean(page);
  });

  it('shows ids of agents to a key that may only read usage, and nothing to a key without that scope', async () => {
    const page = await openConsole(browser, service.url, await service.key(['usage:read']), `${link}&group=agent`);
    await page.getByRole('rowheader', { name: agentId }).waitFor();
    const other = await openConsole(browser, service.url, await service.key(['calls:read']), link);
    await other.getByText('Your key lacks the scope usage:read.').waitFor();
  });

  it('shows what to do in an organization without calls', async () => {
    const { id } = await service.va.operations.organizations.create({ name: 'Other' });
    const page = await openConsole(browser, service.url, await service.key(['*'], id), link);
    await page.getByRole('heading', { name: 'No calls in this period' }).waitFor();
    expectClean(page);
  });

  it('shows the error of a refused request', async () => {
    const page = await openConsole(browser, service.url, await service.key(), '#/usage?from=2020-01-01&to=2026-01-05');
    await page.getByRole('alert').getByText('The period is longer than 366 days.').waitFor();
  });
});
