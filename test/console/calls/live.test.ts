import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasChromium, launchChromium } from '../../web/chromium.ts';
import { expectClean, openConsole } from '../support/open-console.ts';
import { agentWords, type LiveCall, type LiveService, startLiveService } from './live-calls.ts';

const patience = { interval: 20 };

describe.skipIf(!hasChromium())('live calls in Chromium (Debian: chromium)', () => {
  let service: LiveService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startLiveService();
    browser = await launchChromium({ microphone: null });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = async (scopes?: readonly string[], orgId?: string): Promise<Page> =>
    await openConsole(browser, service.url, await service.key(scopes, orgId), '#/live');

  async function openCall(page: Page, { id }: LiveCall): Promise<void> {
    await page.goto(`${service.url}#/live/${id}`);
    await transcript(page).getByText(agentWords.greeting).waitFor();
  }

  const transcript = (page: Page) => page.getByRole('log', { name: 'Transcript' });
  const rows = (page: Page) => page.getByRole('table', { name: 'Live calls' }).locator('tbody tr');
  /** Lines of the visitor's own commands. */
  const commands = (page: Page) => transcript(page).locator('.command');

  async function send(page: Page, kind: string, label: string, text: string, submit: string): Promise<void> {
    const panel = page.getByRole('region', { name: 'Actions' });
    await panel.getByRole('group', { name: 'Actions' }).getByRole('button', { name: kind }).click();
    await panel.getByLabel(label).fill(text);
    await panel.locator('form').getByRole('button', { name: submit, exact: true }).click();
  }

  /** Has the caller say something, and be silent once the page has shown the words so far. */
  async function speak(page: Page, { caller, stt }: LiveCall, text: string): Promise<void> {
    caller.speaks = true;
    await page.getByText('Caller speaks').first().waitFor();
    stt.emit({ type: 'partial', text });
    await page.locator('.partial').getByText(text).waitFor();
    stt.emit({ type: 'final', text });
    caller.speaks = false;
  }

  it('shows calls as they start and end, in the order of their start', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'No live calls' }).waitFor();
    const first = await service.ring('+31611111111', { agentName: 'Anna' });
    await rows(page).getByText('+31611111111').waitFor();
    const second = await service.ring('+31622222222', { agentName: 'Bram' });
    await rows(page).getByText('+31622222222').waitFor();
    expect(await rows(page).count()).toBe(2);

    await speak(page, first, 'A table for two');
    expect(await rows(page).first().textContent()).toContain('+31611111111');
    await rows(page)
      .first()
      .getByText(/Waits until the caller has finished · .* more/)
      .waitFor();
    await rows(page).first().getByText('Runs find_table').waitFor();
    await service.finishTool();
    await rows(page).first().getByText('There is <b>one</b> at eight.').waitFor();

    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**#/live/${second.id}`);
    for (const { caller } of [first, second]) caller.leave();
    await page.getByText('The call has ended.').waitFor();
    expectClean(page);
  });

  it('shows the end reason of a call for some seconds', async () => {
    const call = await service.ring('+31623232323');
    const page = await open();
    const row = rows(page).filter({ hasText: '+31623232323' });
    await row.waitFor();
    call.caller.leave();
    await row.getByText('The other party hung up.').waitFor();
    await row.waitFor({ state: 'detached' });
    expectClean(page);
  });

  it('shows speech and tool calls of a call as they happen', async () => {
    const call = await service.ring('+31633333333');
    const page = await open();
    await openCall(page, call);
    await speak(page, call, 'A <i>table</i> for two');
    await page.getByText(/Waits until the caller has finished · .* more/).waitFor();
    await page.locator('.countdown').waitFor();
    const tool = transcript(page).locator('.tool');
    await tool.getByText('runs', { exact: true }).waitFor();
    await page.getByText('Runs find_table').waitFor();
    expect(await transcript(page).locator('.said.user').textContent()).toContain('A <i>table</i> for two');
    expect(await transcript(page).locator('.partial').count()).toBe(0);
    await service.finishTool();
    await tool.getByText('done', { exact: true }).waitFor();
    await tool.locator('summary').click();
    await tool.getByText('"people": 2').waitFor();
    await tool.getByText('onerror').waitFor();
    await transcript(page).locator('.said.assistant:not(.partial)').getByText(agentWords.reply).waitFor();
    // The markup of words and results is text.
    expect(await page.locator('#content').locator('i:not([class]):not(.shape i), b, img').count()).toBe(0);
    expect(await page.locator('.figures').textContent()).toMatch(/Response\d/);
    call.caller.leave();
    await page.getByText('The call has ended.').waitFor();
    expectClean(page);
  });

  it('marks the words that the caller did not hear after interrupting', async () => {
    const call = await service.ring('+31634343434');
    const page = await open();
    await openCall(page, call);
    await send(page, 'Say', 'The agent says', 'We are open from noon until ten, and on Sundays until nine.', 'Say');
    await transcript(page).getByText('begins to say').waitFor();
    call.stt.emit({ type: 'partial', text: 'wait a moment please' });
    call.caller.speaks = true;
    await transcript(page).getByText('interrupted', { exact: true }).waitFor();
    expect(await transcript(page).locator('.said .unheard').textContent()).toMatch(/until nine\.$/);
    call.caller.leave();
    await page.getByText('The call has ended.').waitFor();
    expectClean(page);
  });

  it('makes the agent speak, mutes it, adds context, sends digits, transfers and ends the call', async () => {
    const call = await service.ring('+31644444444');
    const page = await open();
    await openCall(page, call);

    await send(page, 'Say', 'The agent says', 'A colleague is coming.', 'Say');
    await commands(page).getByText('Say: A colleague is coming.').waitFor();
    await transcript(page).locator('.said.assistant:not(.partial)').getByText('A colleague is coming.').waitFor();
    expect(await page.getByLabel('The agent says').inputValue()).toBe('');

    await page.getByRole('button', { name: 'Mute the agent' }).click();
    await page.getByText('Agent is muted').waitFor();
    await page.getByRole('button', { name: 'Unmute the agent' }).click();
    await page.getByText('Agent listens').waitFor();

    await send(page, 'Add context', 'Context for the model', 'The terrace is closed.', 'Add');
    await commands(page).getByText('Context: The terrace is closed.').waitFor();

    await send(page, 'Press keys', 'Keys', '12#', 'Press');
    await vi.waitFor(() => expect(call.caller.pressed.map(({ digits }) => digits).join('')).toBe('12#'), patience);

    await send(page, 'Transfer', 'Destination', '+31201111111', 'Transfer');
    await transcript(page).getByText('Transfer (blind) to +31201111111: failed (the destination is busy)').waitFor();
    await vi.waitFor(
      async () => expect(await commands(page).getByText('done', { exact: true }).count()).toBe(6),
      patience,
    );

    await page.getByRole('button', { name: 'End the call' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('It was ended through the API or the console.').waitFor();
    expect(call.caller.end).toEqual({ cause: 'local-hangup' });
    expect(await page.getByRole('region', { name: 'Actions' }).count()).toBe(0);
    const record = page.getByRole('link', { name: 'Open the record of the call' });
    expect(await record.getAttribute('href')).toBe(`#/calls/${call.id}`);
    expectClean(page);
  });

  it('makes the agent speak and hang up afterwards', async () => {
    const call = await service.ring('+31655555555');
    const page = await open();
    await openCall(page, call);
    await page.getByLabel('End the call after it').check();
    await send(page, 'Say', 'The agent says', 'We are closing. Goodbye.', 'Say');
    await page.getByText('The call has ended.').waitFor();
    await transcript(page).locator('.said.assistant').getByText('We are closing. Goodbye.').waitFor();
    expectClean(page);
  });

  it('shows why a command was refused, and restores the entered text', async () => {
    const call = await service.ring('+31666666666');
    const page = await open();
    await openCall(page, call);
    await send(page, 'Transfer', 'Destination', 'nowhere', 'Transfer');
    await commands(page).getByText('failed', { exact: true }).waitFor();
    await commands(page)
      .getByText(/expected an international number/)
      .waitFor();
    await commands(page)
      .getByText(/^Request/)
      .waitFor();
    expect(await page.getByLabel('Destination').inputValue()).toBe('nowhere');

    await page.route('**/control', (route) => route.abort());
    await page.getByRole('button', { name: 'Mute the agent' }).click();
    await commands(page).getByText('The service could not be reached.').waitFor();
    await page.getByRole('button', { name: 'Mute the agent' }).waitFor();
    call.caller.leave();
  });

  it('shows no action to a read-only key, which the API refuses too', async () => {
    const call = await service.ring('+31677777777');
    const page = await open(['calls:read']);
    await openCall(page, call);
    expect(await page.getByRole('region', { name: 'Actions' }).count()).toBe(0);
    const status = await page.evaluate(
      async ({ url, key }) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        return (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ type: 'end-call' }) })).status;
      },
      { url: `../api/v1/calls/${call.id}/control`, key: await service.key(['calls:read']) },
    );
    expect(status).toBe(403);
    expect(call.caller.end).toBeNull();
    call.caller.leave();
    expectClean(page);
  });

  it('shows nothing of the calls of another organization', async () => {
    const otherOrgId = await service.otherOrganization();
    const page = await open();
    const theirs = await service.ring('+31688888888', { orgId: otherOrgId });
    const ours = await service.ring('+31699999999');
    await rows(page).getByText('+31699999999').waitFor();
    expect(await rows(page).getByText('+31688888888').count()).toBe(0);
    await page.goto(`${service.url}#/live/${theirs.id}`);
    await page.getByRole('alert').getByText(theirs.id).waitFor();
    const other = await open(['*'], otherOrgId);
    await rows(other).getByText('+31688888888').waitFor();
    expect(await rows(other).count()).toBe(1);
    for (const { caller } of [theirs, ours]) caller.leave();
    expectClean(page);
    expectClean(other);
  });

  it('reconnects when its streams break, shows the loss, and leaves no stream open', async () => {
    const page = await open();
    const streams = new Set<string>();
    page.on('request', (request) => {
      if (/\/(events|live)(\?|$)/.test(request.url())) streams.add(request.url());
    });
    const closed: string[] = [];
    page.on('requestfailed', (request) => closed.push(request.url()));
    await page.getByText('Up to date').waitFor();
    await page.context().setOffline(true);
    service.breakConnections();
    await page.getByText('Connection lost. Reconnecting…').waitFor();
    await page.context().setOffline(false);
    await page.getByText('Up to date').waitFor();
    const call = await service.ring('+31612121212');
    await rows(page).getByText('+31612121212').waitFor();
    closed.length = 0;
    await page.goto(`${service.url}#/calls`);
    await vi.waitFor(() => expect(closed.filter((url) => streams.has(url))).toHaveLength(2), patience);
    call.caller.leave();
  });
});
