import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { hasChromium, launchChromium } from '../web/chromium.ts';
import { type ConsoleService, startConsoleService } from './console-service.ts';
import { expectClean, goTo, openConsole } from './open-console.ts';

describe.skipIf(!hasChromium())('health in Chromium (Debian: chromium)', () => {
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

  it('shows the checks of the service, and the trunks', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    await goTo(page, '#/health');
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
});
