import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, goTo, openConsole } from '../support/open-console.ts';

describe.skipIf(!hasChromium())('the list of calls in Chromium (Debian: chromium)', () => {
  let service: ConsoleService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startConsoleService();
    browser = await launchChromium({ microphone: null });
    for (let n = 0; n < 130; n += 1) {
      const created_at = new Date(Date.UTC(2026, 0, 1, 12, n)).toISOString();
      const changes = { caller_phone: `+3120123${String(n).padStart(4, '0')}`, direction: 'inbound' as const };
      await service.addCall({ created_at, ...changes, ...(n < 3 && { end_reason: 'llm_error', status: 'failed' }) });
    }
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const rowsOf = (page: Page) => page.locator('tbody tr[aria-rowindex]');
  const scrollTo = (page: Page, share: number) =>
    page.evaluate(`{
      const frame = document.querySelector('.call-frame');
      frame.scrollTo(0, frame.scrollHeight * ${share});
    }`);
  const requests = (page: Page): string[] => {
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    return urls;
  };

  it('loads pages as they come into view, and keeps only the rows in view in the document', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    await page.getByText('130 calls').waitFor();
    await page.getByText('+31201230129').waitFor();
    expect(await rowsOf(page).count()).toBeLessThan(50);
    await scrollTo(page, 1);
    await page.getByText('+31201230000').waitFor();
    expect(await page.getByText('+31201230129').count()).toBe(0);
    expectClean(page);
  });

  it('moves with j and k, opens a call with Enter, and returns to the same place', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    await page.getByText('+31201230129').waitFor();
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    await page.locator('tr.selected').getByText('+31201230128').waitFor();
    for (let n = 0; n < 60; n += 1) await page.keyboard.press('j');
    await page.locator('tr.selected').getByText('+31201230068').waitFor();
    await page.locator('tr.selected a:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/calls\/[0-9a-f-]{36}$/);
    await page.goBack();
    await page.locator('tr.selected').getByText('+31201230068').waitFor();
    await page.keyboard.press('/');
    await page.locator('input[type=search]:focus').waitFor();
    await page.keyboard.type('jk');
    expect(await page.getByRole('searchbox').inputValue()).toBe('jk');
    expectClean(page);
  });

  it('filters calls, and puts the filters into the URL', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    await page.getByLabel('End reason').selectOption({ label: 'Model failed' });
    await page.getByText('3 calls').waitFor();
    expect(new URL(page.url()).hash).toBe('#/calls?end_reason=llm_error');
    await page.getByLabel('Phone').fill('+31201230001');
    await page.keyboard.press('Enter');
    await page.getByText('1 calls').waitFor();
    await page.getByLabel('From').fill('2026-01-02');
    await page.getByRole('heading', { name: 'No call matches.' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('130 calls').waitFor();

    await goTo(page, '#/calls?status=failed&from=2025-12-31&to=2026-01-03');
    await page.getByText('3 calls').waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('failed');
    expectClean(page);
  });

  it('shows the error of a refused request', async () => {
    const page = await openConsole(
      browser,
      service.url,
      await service.key(),
      '#/calls?status=<img src=x onerror=alert(1)>',
    );
    await page.getByRole('alert').getByText('expected one or more of').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('reports new ended calls, and inserts them on request only', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    await page.getByText('130 calls').waitFor();
    const fields = { call_id: 'b', at: '2026-02-01T00:00:00.000Z', status: 'ended', end_reason: 'user_hangup' };
    const body = `id: 1\nevent: status\ndata: ${JSON.stringify({ type: 'status', ...fields })}\n\n`;
    await page.route('**/api/v1/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
    await goTo(page, '#/calls?direction=inbound');
    await page.getByText('130 calls').waitFor();
    await service.addCall({
      caller_phone: '+31209999999',
      direction: 'inbound',
      created_at: '2026-02-01T00:00:00.000Z',
    });
    const hint = page.getByRole('button', { name: '1 call has ended since. Refresh' });
    await hint.waitFor();
    expect(await page.getByText('+31209999999').count()).toBe(0);
    await page.unroute('**/api/v1/events');
    await hint.click();
    await page.getByText('131 calls').waitFor();
    await page.getByText('+31209999999').waitFor();
    expect(await hint.count()).toBe(0);
  });

  it('shows the number of the other party of incoming and outgoing calls', async () => {
    const both = { caller_phone: '+31612345678', phone_number: '+31207654321', created_at: '2027-01-01T00:00:00.000Z' };
    const { id } = await service.addCall({ ...both, direction: 'outbound' });
    const page = await openConsole(browser, service.url, await service.key(), '#/calls?direction=outbound');
    await page.getByText(both.caller_phone).waitFor();
    expect(await page.locator('.who').getByText(both.phone_number).count()).toBe(0);
    await goTo(page, `#/calls/${id}`);
    await page.getByRole('heading', { level: 1 }).getByText(both.caller_phone).waitFor();
  });

  it('requests only what a key with one scope may read', async () => {
    const context = await browser.newContext();
    const probe = await context.newPage();
    const urls = requests(probe);
    await probe.goto(service.url);
    await probe.getByLabel('API key').fill(await service.key(['calls:read']));
    await probe.getByRole('button', { name: 'Sign in' }).click();
    await probe.getByRole('navigation').waitFor();
    await goTo(probe, '#/calls');
    await probe.locator('tbody tr').first().waitFor();
    expect(urls.filter((url) => /\/(agents|numbers|campaigns)\b/.test(url))).toEqual([]);
  });

  it('shows an organization only its own calls', async () => {
    const other = await service.va.operations.organizations.create({ name: 'Other' });
    const page = await openConsole(browser, service.url, await service.key(['*'], other.id));
    await page.getByRole('heading', { name: 'No calls' }).waitFor();
    expectClean(page);
  });

  it('leaves the focus in the search field while rows are loaded', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/v1\/calls\?.*offset=50/, async (route) => {
      await held;
      await route.continue();
    });
    const listed = page.waitForResponse(/\/calls\?.*direction=inbound/);
    await goTo(page, '#/calls?direction=inbound');
    await listed;
    await page.locator('[aria-rowindex="2"] a').waitFor();
    for (let at = 0; at < 46; at += 1) await page.keyboard.press('j');
    await page.locator('tr.selected :focus').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('tab');
    release();
    await page.locator('[aria-rowindex="53"] a').waitFor();
    await page.keyboard.type('le');
    expect(await page.getByRole('searchbox').inputValue()).toBe('table');
    expectClean(page);
  });

  it('scrolls through a million calls', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    const asked: number[] = [];
    await page.route('**/api/v1/calls?*', async (route) => {
      const query = new URL(route.request().url()).searchParams;
      const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
      asked.push(offset);
      const calls = Array.from({ length: limit }, (_, at) => {
        const created_at = new Date(Date.UTC(2026, 0, 1) - (offset + at) * 1_000).toISOString();
        return {
          ...{ id: `00000000-0000-7000-8000-${String(offset + at).padStart(12, '0')}`, created_at, status: 'ended' },
          ...{ direction: 'inbound', caller_phone: `caller ${offset + at}`, phone_number: null, agent_name: 'A' },
          ...{ end_reason: 'user_hangup', duration_seconds: 61, latency: null },
        };
      });
      await route.fulfill({ json: { calls, pagination: { total: 1_000_000, limit, offset } } });
    });
    await goTo(page, '#/calls?direction=inbound');
    await page.getByText('1,000,000 calls').waitFor();
    await page.getByText('caller 0', { exact: true }).waitFor();
    await scrollTo(page, 0.5);
    await page
      .getByText(/caller 500\d{3}/)
      .first()
      .waitFor();
    await scrollTo(page, 1);
    await page.getByText('caller 999999').waitFor();
    expect(await rowsOf(page).count()).toBeLessThan(60);
    expect(asked.length).toBeLessThan(12);
    expectClean(page);
  });
});
