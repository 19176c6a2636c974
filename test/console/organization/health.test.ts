import { unknownTrunkHealth } from '@va/core/adapter';
import { ScriptedTelephony } from '@va/testkit';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, goTo, openConsole } from '../support/open-console.ts';

const markup = '<img src=x onerror="document.title=\'owned\'">';
const ago = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();

describe.skipIf(!hasChromium())('health in Chromium (Debian: chromium)', () => {
  const telephony = new ScriptedTelephony();
  let service: ConsoleService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startConsoleService({ service: { telephony: [telephony] } });
    browser = await launchChromium({ microphone: null });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = async (hash: string, scopes?: readonly string[], orgId?: string): Promise<Page> => {
    return await openConsole(browser, service.url, await service.key(scopes, orgId), hash);
  };
  const newTrunk = async (name: string, orgId = service.orgId) =>
    await service.va.operations.trunks.create(orgId, { name, provider: 'Example', address: 'sip.example.com' });

  it('shows the checks of the service, and that there is no trunk', async () => {
    const page = await open('#/health');
    await page.locator('.card').first().getByText('Healthy').first().waitFor();
    await page.getByText('storage').waitFor();
    await page.getByText('There is no trunk.').waitFor();
    expectClean(page);
  });

  it('shows why a check failed', async () => {
    const page = await openConsole(browser, service.url, await service.key(['calls:read']));
    const checks = { storage: { status: 'failed', message: 'connection refused' } };
    const fields = { version: '1.2.3', timestamp: '2026-01-01T12:00:00.000Z', checks };
    await page.route('**/health', (route) =>
      route.fulfill({ status: 503, json: { status: 'unavailable', ...fields } }),
    );
    await goTo(page, '#/health');
    await page.getByText('Unavailable').waitFor();
    await page.getByText('connection refused').waitFor();
  });

  it('shows operators the nodes, queues and providers of this deployment', async () => {
    const page = await open('#/health');
    const nodes = page.getByRole('table', { name: 'Nodes' });
    await nodes.getByText('Serving').waitFor();
    await nodes.getByText('answers you').waitFor();
    await nodes.getByText('0 / 200').waitFor();
    const queues = page.getByRole('table', { name: 'Queues' });
    for (const queue of ['webhooks', 'after-call', 'mails']) await queues.getByText(queue).waitFor();
    const providers = page.getByRole('table', { name: 'Providers' });
    await providers.getByRole('row').filter({ hasText: 'flite' }).getByText('Not used').waitFor();
    expect(await page.getByRole('table', { name: 'SIP registrations' }).count()).toBe(0);
    expectClean(page);
  });

  it('shows the state of each node, its registrations and failing providers as text, never as markup', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    const node = (name: string, state: string, more: object = {}) => ({
      ...{ id: crypto.randomUUID(), name, version: '1.2.3', state, started_at: ago(7_300), last_seen_at: ago(4) },
      ...{ calls: 3, max_calls: 200, event_loop_lag_ms: 12, is_answering: false, providers: [], registrations: [] },
      ...more,
    });
    const broken = {
      ...{ kind: 'tts', provider: 'elevenlabs', circuits: 4, open_circuits: 1, recent_failures: 9 },
      last_failure: { fault: 'quota', at: ago(61) },
    };
    const registration = {
      ...{ registrar: 'sip.example.com', account: 'anna', state: 'failed', since: ago(600), expires_at: null },
      reason: `403 ${markup}`,
    };
    const nodes = [
      node(`one ${markup}`, 'draining', { providers: [broken], registrations: [registration] }),
      node('two', 'lost', { version: null, last_seen_at: null }),
      node('three', 'starting'),
    ];
    const queues = [{ name: 'webhooks', waiting: 1_200, oldest_seconds: 600, recent_failures: 7 }];
    await page.route('**/nodes', (route) => route.fulfill({ json: { nodes, queues } }));
    await goTo(page, '#/health');
    const table = page.getByRole('table', { name: 'Nodes' });
    await table.getByRole('row').filter({ hasText: 'one' }).getByText('Draining').waitFor();
    await table.getByRole('row').filter({ hasText: 'two' }).getByText('Lost').waitFor();
    await table.getByText('Starting').waitFor();
    await table.getByText('2 hr. ago').first().waitFor();
    await page.getByRole('table', { name: 'Queues' }).getByText('10 min').waitFor();
    const provider = page.getByRole('table', { name: 'Providers' }).getByRole('row').filter({ hasText: 'elevenlabs' });
    await provider.getByText('1 of 4 open').waitFor();
    await provider.getByText('1 min. ago').waitFor();
    await page.getByRole('table', { name: 'SIP registrations' }).getByText('Failed').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
    expectClean(page);
  });

  it('neither shows nor requests nodes for other organizations and narrower keys', async () => {
    const other = await service.otherOrganization();
    for (const [scopes, orgId] of [
      [['*'], other],
      [['trunks:read', 'calls:read'], service.orgId],
    ] as const) {
      const page = await openConsole(browser, service.url, await service.key(scopes, orgId));
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await goTo(page, '#/health');
      await page.getByRole('heading', { name: 'Trunks' }).waitFor();
      await page.getByText('Healthy').first().waitFor();
      expect(await page.getByRole('table', { name: 'Nodes' }).count()).toBe(0);
      expect(asked.filter((path) => path.endsWith('/nodes'))).toEqual([]);
      expectClean(page);
    }
  });

  it('shows on the pages of trunks and of health whether the trunks of the organization are reachable', async () => {
    const other = await service.otherOrganization();
    const [main, backup, foreign] = [
      await newTrunk('Main'),
      await newTrunk('Backup'),
      await newTrunk('Foreign', other),
    ];
    const facts = { ...unknownTrunkHealth, checked_at: ago(21), since: ago(3_700) };
    telephony.trunkHealth.set(main.id, { ...facts, state: 'reachable', round_trip_ms: 23 });
    telephony.trunkHealth.set(backup.id, { ...facts, state: 'unreachable', reason: `503 ${markup}` });
    telephony.trunkHealth.set(foreign.id, { ...facts, state: 'unreachable' });
    const page = await open('#/numbers/trunks');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('Main').locator('.badge.good', { hasText: 'Reachable' }).waitFor();
    await row('Main').getByText('round trip 23 ms').waitFor();
    await row('Main').getByText('1 hr. ago').waitFor();
    const checked = row('Main').locator('time').last();
    expect(await checked.getAttribute('title')).toMatch(/\d{4}/);
    await row('Backup').locator('.badge.bad', { hasText: 'Unreachable' }).waitFor();
    await row('Backup').getByText(`503 ${markup}`).waitFor();
    await goTo(page, '#/health');
    await page.locator('.trunk-list li').filter({ hasText: 'Main' }).getByText('Reachable').waitFor();
    expect(await page.getByText('Foreign').count()).toBe(0);
    expect(await page.locator('main img').count()).toBe(0);
    expectClean(page);
  });

  it('shows the last webhook of a carrier’s trunk, and differences between nodes', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    const trunk = await newTrunk('Carrier');
    const known = { ...unknownTrunkHealth, last_webhook_at: ago(30) };
    const failed = { ...known, last_failure: { at: ago(7_300), reason: 'no credit' } };
    const health = (state: string, nodes: readonly object[]) => ({
      trunks: [{ trunk_id: trunk.id, state, nodes: nodes.map((each) => ({ node_id: crypto.randomUUID(), ...each })) }],
    });
    let answer = health('unknown', [known, failed]);
    await page.route('**/sip-trunks/health', (route) => route.fulfill({ json: answer }));
    await goTo(page, '#/numbers/trunks');
    const row = page.getByRole('row').filter({ hasText: 'Carrier' });
    await row.getByText('Not checked').waitFor();
    await row.getByText('Last webhook').waitFor();
    await row.getByText('Last failure (no credit)').waitFor();
    answer = health('degraded', [
      { ...known, state: 'reachable', since: ago(60) },
      { ...known, state: 'unreachable', since: ago(60) },
    ]);
    await goTo(page, '#/numbers/numbers');
    await goTo(page, '#/numbers/trunks');
    await row.locator('.badge.warn', { hasText: 'Partly reachable' }).waitFor();
    await row.getByText('Unreachable for 1 of 2 nodes').waitFor();
    expectClean(page);
  });
});
