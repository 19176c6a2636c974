import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spokenAgent } from '../../support/spoken-agent.ts';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { speechRecording } from '../deployment/recording.ts';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';
import { expectClean, openConsole, watchErrors } from '../support/open-console.ts';

const at = '2026-03-12T10:00:00.000Z';

describe.skipIf(!hasChromium())('the console with the keyboard alone', () => {
  let service: ConsoleService;
  let browser: Browser;
  let callId: string;
  beforeAll(async () => {
    service = await startConsoleService();
    browser = await launchChromium({ microphone: null });
    const call = await service.addCall({
      ...{ created_at: at, started_at: at, answered_at: at, duration_seconds: 20, caller_phone: '+31612003487' },
      recording_url: 'https://example.com/recording',
    });
    callId = call.id;
    service.recordings.bytes.set(call.id, speechRecording(20, [{ by: 'agent', from: 1, to: 9 }]));
    await service.addEvents(call, [
      { atSeconds: 9, type: 'transcript', data: { role: 'assistant', content: 'Good morning.', interrupted: false } },
      { atSeconds: 15, type: 'transcript', data: { role: 'user', content: 'A table for two.' } },
    ]);
    await service.va.operations.agents.create(service.orgId, { name: 'Base', ...spokenAgent().config });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it('signs in, opens a call, plays its recording and returns to the row', async () => {
    const page = await newPage();
    await page.getByLabel('API key').waitFor();
    await tabTo(page, 'API key');
    await page.keyboard.type(await service.key());
    await page.keyboard.press('Enter');
    await page.locator('tbody a').first().waitFor();
    expect(await focused(page)).toBe('Calls');

    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Call with +31612003487' }).waitFor();
    expect(await page.title()).toBe('Call with +31612003487 · Voice agents');
    await expect.poll(() => focused(page)).toBe('Call with +31612003487 Caller hung up');
    await page.getByRole('button', { name: 'Go to 0:09' }).waitFor();
    await tabTo(page, 'Play');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('button', { name: 'Pause' }).isEnabled()).toBe(true);
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();

    // Lines of the transcript are rows, too: Enter plays from there.
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused(page)).toBe('Go to 0:09');
    await page.keyboard.press('Enter');
    await page.locator('[aria-current=true]').getByText('A table for two.').waitFor();

    await tabTo(page, 'All calls', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.locator('tbody a').first().waitFor();
    const link = (): Promise<unknown> => page.evaluate(`document.activeElement.getAttribute('href')`);
    await expect.poll(link).toBe(`#/calls/${callId}`);
    expectClean(page);
  });

  it('creates an agent, with the focus in the dialog and then on the new page', async () => {
    const page = await openConsole(browser, service.url, await service.key());
    await tabTo(page, 'Agents');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'Base' }).waitFor();
    await expect.poll(() => focused(page)).toBe('Agents');
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'New agent' }).waitFor();
    expect(await page.evaluate(`document.activeElement.closest('dialog') !== null`)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'Name');
    await page.keyboard.type('Tessa');
    await tabTo(page, 'Create');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Tessa' }).waitFor();
    expect(await page.title()).toBe('Tessa · Voice agents');
    await expect.poll(() => focused(page)).toBe('Tessa');
    const [agent] = await service.va.operations.agents.list(service.orgId);
    expect(agent?.name).toBe('Tessa');
    expect(JSON.stringify(agent?.llm_config)).toContain('appointment');
    expectClean(page);
  });

  it('skips the menu without changing the URL', async () => {
    const page = await openConsole(browser, service.url, await service.key(), '#/agents');
    await page.getByRole('row').filter({ hasText: 'Base' }).waitFor();
    await page.evaluate('document.activeElement.blur()');
    await tabTo(page, 'Skip to the content');
    expect(await page.getByRole('button', { name: 'Skip to the content' }).isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Search agents');
    expect(new URL(page.url()).hash).toBe('#/agents');
  });

  it('keeps the focus in a dialog, closes it with Esc and gives the focus back', async () => {
    const page = await openConsole(browser, service.url, await service.key(), '#/agents');
    await page.getByRole('row').filter({ hasText: 'Base' }).waitFor();
    await tabTo(page, 'Delete');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await focused(page)).toBe('Cancel');
    for (let tab = 0; tab < 4; tab += 1) {
      await page.keyboard.press('Tab');
      // Once per round, Tab leaves the page for the toolbar of Chromium, and no element of the page has the focus.
      expect(await page.evaluate(`document.activeElement.closest('dialog, body').tagName`)).toMatch(/DIALOG|BODY/);
      expect(await page.evaluate(`document.activeElement.closest('#content') === null`)).toBe(true);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Delete');
  });

  it('shows a focus indicator on each element that Tab reaches', async () => {
    const page = await openConsole(browser, service.url, await service.key(), '#/keys');
    await page.getByRole('row').nth(1).waitFor();
    await tabTo(page, 'Skip to the content');
    const stops = ['Skip to the content'];
    for (let stop = 0; stop < 40; stop += 1) {
      await page.keyboard.press('Tab');
      const name = await focused(page);
      if (name === '') break;
      stops.push(name);
      const outline = await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`);
      expect(outline, name).not.toBe('none');
    }
    expect(stops.slice(0, 3)).toEqual(['Skip to the content', 'Live', 'Calls']);
    expect(stops).toContain('New API key');
    expect(stops).toContain('Revoke');
  });

  async function newPage(): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(12_000);
    watchErrors(page);
    await page.goto(`${service.url}#/calls`);
    return page;
  }
});

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < 60; stop += 1) {
    const at = await focused(page);
    if (at === name) return;
    passed.push(at);
    await page.keyboard.press(key);
  }
  throw new Error(`${name} was not reached: ${passed.join(', ')}`);
}

/** Returns the name of the focused element; empty if there is none. */
async function focused(page: Page): Promise<string> {
  return await page.evaluate(`(() => {
    const element = document.activeElement;
    if (element === document.body) return '';
    const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.querySelector('span, strong')?.textContent
      ?? element.labels?.[0]?.textContent ?? element.textContent;
    return label.replace(/^←/, '').replace(/\\s+/g, ' ').trim();
  })()`);
}
