// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { Call, CallEvent, Client } from '@va/client';
import { sampleAgent, sampleCall } from '@va/testkit';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CallsPage } from '../../../src/app/pages/calls/calls-page.tsx';
import { watchKeys } from '../../../src/app/ui/keyboard/keys.ts';
import { formatShortTime } from '../../../src/app/ui/values/format.ts';
import { sampleCampaign, sampleNumber } from '../../support/records.ts';
import { ScriptedStream } from '../../support/scripted-stream.ts';
import { refusal, type ScriptedClient, sessionWith } from '../../support/session.ts';
import { goTo, showPage } from '../../support/show.tsx';
import { choose, press, textOf, type } from '../../support/user.ts';

type List = Client['calls']['list'];

const createdAt = '2026-03-01T12:00:00.000Z';
const call = (n: number, changes: Partial<Call> = {}): Call =>
  sampleCall({ id: `call-${n}`, status: 'ended', end_reason: 'user_hangup', created_at: createdAt, ...changes });

/** A list of `total` calls, of which the given ones come first. */
const listOf = (total: number, ...first: readonly Call[]) =>
  vi.fn<List>(async (query = {}) => {
    const { limit = 50, offset = 0 } = query;
    const length = Math.max(0, Math.min(limit, total - offset));
    const calls = Array.from({ length }, (_, at) => first[offset + at] ?? call(offset + at));
    return { calls, pagination: { total, limit, offset } } as Awaited<ReturnType<List>>;
  });

const others: ScriptedClient = {
  agents: { list: async () => [sampleAgent({ id: 'agent-1', name: 'Reception' })] },
  numbers: { list: async () => [sampleNumber()] },
  campaigns: { list: async () => [sampleCampaign()] },
};

interface Opened {
  readonly session: ReturnType<typeof sessionWith>;
  readonly ended: ScriptedStream<CallEvent>;
  readonly unmount: () => void;
}

function open(list: List, fragment = '#/calls', scopes: readonly string[] = ['*']): Opened {
  const ended = new ScriptedStream<CallEvent>();
  const session = sessionWith({ ...others, calls: { list, watch: ended.open } }, { scopes });
  const { unmount } = showPage(<CallsPage session={session} />, fragment);
  return { session, ended, unmount };
}

const rows = (): readonly string[][] =>
  within(screen.getByRole('table', { name: 'Calls' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(textOf));

describe('the list of calls', () => {
  it('shows who called, how long, how quick the replies were, and how it ended', async () => {
    const turn = { total_ms: { p50: 720, p95: 900 }, turns: [], interruptions_ms: [] };
    const first = call(1, { agent_name: 'Reception', duration_seconds: 65, latency: turn });
    const second = call(2, { direction: 'web', status: 'in-progress', end_reason: null, agent_name: null });
    open(listOf(2, first, second));
    await screen.findByText('2 calls');
    await waitFor(() =>
      expect(rows()).toEqual([
        [formatShortTime(createdAt), '+31612345678', 'Reception', '1:05', '720 ms', 'Caller hung up'],
        [formatShortTime(createdAt), 'Web page', '–', '–', '–', 'In progress'],
      ]),
    );
    const [link] = within(screen.getByRole('table')).getAllByRole('link');
    expect(link?.getAttribute('href')).toBe('#/calls/call-1');
  });

  it('renders the visible rows of a long list, and says how many there are', async () => {
    open(listOf(100_000));
    const table = await screen.findByRole('table', { name: 'Calls' });
    expect(table.getAttribute('aria-rowcount')).toBe('100001');
    await waitFor(() => expect(within(table).getAllByRole('link').length).toBeGreaterThan(10));
    expect(within(table).getAllByRole('row').length).toBeLessThan(60);
    expect(screen.getByText(`${(100_000).toLocaleString()} calls`)).toBeTruthy();
  });

  it('loads the rows that are scrolled to', async () => {
    const list = listOf(1_000);
    open(list);
    const table = await screen.findByRole('table', { name: 'Calls' });
    const frame = table.parentElement as HTMLElement;
    frame.scrollTop = 500 * 40;
    fireEvent.scroll(frame);
    expect(within(table).getAllByText('Loading…').length).toBeGreaterThan(0);
    await waitFor(() => expect(list.mock.lastCall?.[0]).toMatchObject({ offset: 500 }));
    await waitFor(() => expect(table.querySelector('a[href="#/calls/call-500"]')).toBeTruthy());
  });

  it('says that there are no calls', async () => {
    open(listOf(0));
    await screen.findByRole('heading', { name: 'No calls' });
  });

  it('says that nothing matches the filters', async () => {
    open(listOf(0), '#/calls?status=failed');
    await screen.findByRole('heading', { name: 'No call matches.' });
  });

  it('shows an error, and loads again on request', async () => {
    const list = listOf(1);
    list.mockRejectedValueOnce(refusal('too many requests'));
    open(list);
    expect(textOf(await screen.findByRole('alert'))).toContain('too many requests');
    press('Try again');
    await screen.findByText('1 calls');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is kept while one of its calls is open', async () => {
    const list = listOf(1);
    const { session, unmount } = open(list);
    await screen.findByText('1 calls');
    unmount();
    showPage(<CallsPage session={session} />, '#/calls');
    await screen.findByText('1 calls');
    expect(list).toHaveBeenCalledTimes(1);
  });

  it('is loaded again after a call was erased', async () => {
    const list = listOf(2);
    const erase = vi.fn(async () => {});
    const calls = {
      list,
      get: async () => call(1),
      delete: erase,
      watch: new ScriptedStream<CallEvent>().open,
      events: (_id: string, options?: object) => new ScriptedStream<CallEvent>().open(options),
    };
    const session = sessionWith({ ...others, calls }, { scopes: ['calls:read', 'calls:write'] });
    showPage(<CallsPage session={session} />, '#/calls');
    await screen.findByText('2 calls');
    goTo('#/calls/call-1');
    await screen.findByRole('button', { name: 'Erase' });
    press('Erase');
    press('Erase the call');
    await waitFor(() => expect(list).toHaveBeenCalledTimes(2));
    expect([erase.mock.calls, location.hash]).toEqual([[['call-1']], '#/calls']);
  });

  it('is loaded again for another session', async () => {
    open(listOf(1)).unmount();
    const list = listOf(2);
    open(list);
    await screen.findByText('2 calls');
  });

  it('moves the focus by keys, also to rows that are not rendered', async () => {
    onTestFinished(watchKeys());
    open(listOf(200));
    await waitFor(() => expect(document.querySelector('a[href="#/calls/call-0"]')).toBeTruthy());
    const focused = (): string | null | undefined => document.activeElement?.getAttribute('href');
    fireEvent.keyDown(document.body, { key: 'j' });
    expect(focused()).toBe('#/calls/call-0');
    for (let n = 0; n < 3; n += 1) fireEvent.keyDown(document.activeElement ?? document.body, { key: 'j' });
    expect(focused()).toBe('#/calls/call-3');
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'k' });
    expect(focused()).toBe('#/calls/call-2');
    for (let n = 0; n < 9; n += 1) fireEvent.keyDown(document.activeElement ?? document.body, { key: 'k' });
    expect(focused()).toBe('#/calls/call-0');
  });
});

describe('calls that end meanwhile', () => {
  const statusEvent = (id: string, status: string): CallEvent =>
    ({ id, type: 'status', call_id: 'x', at: createdAt, data: { status, end_reason: null, error: null } }) as CallEvent;

  it('are counted, and listed on request', async () => {
    const list = listOf(1);
    const { ended } = open(list);
    await screen.findByText('1 calls');
    ended.send(statusEvent('1', 'in-progress'), statusEvent('2', 'ended'));
    await screen.findByRole('button', { name: '1 call has ended since. Refresh' });
    ended.send(statusEvent('3', 'failed'));
    await screen.findByRole('button', { name: '2 calls have ended since. Refresh' });
    press(/Refresh$/);
    await waitFor(() => expect(list).toHaveBeenCalledTimes(2));
    expect(screen.queryByRole('button', { name: /Refresh$/ })).toBeNull();
  });

  it('are not counted without a stream', async () => {
    const { ended } = open(listOf(1));
    ended.fail(refusal('too many streams'));
    await screen.findByText('1 calls');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the filters of the list', () => {
  it('offer the agents, numbers and campaigns that the session may read', async () => {
    open(listOf(1), '#/calls', ['calls:read', 'agents:read']);
    const select = screen.getByRole('combobox', { name: 'Agent' });
    await within(select).findByRole('option', { name: 'Reception' });
    for (const name of ['Number', 'Campaign']) {
      const options = within(screen.getByRole('combobox', { name })).getAllByRole('option');
      expect(options.map(({ textContent }) => textContent)).toEqual(['Any']);
    }
  });

  it('are kept in the URL, and sent', async () => {
    const list = listOf(1);
    open(list, '#/calls?agent_id=agent-1');
    await screen.findByText('1 calls');
    choose(screen.getByRole('combobox', { name: 'Status' }), 'failed');
    expect(location.hash).toBe('#/calls?agent_id=agent-1&status=failed');
    await waitFor(() => expect(list.mock.lastCall?.[0]).toMatchObject({ agent_id: 'agent-1', status: 'failed' }));
  });

  it('show a value of the URL that is not among the choices', async () => {
    open(listOf(1), '#/calls?agent_id=deleted');
    expect(screen.getByRole('combobox', { name: 'Agent' })).toHaveProperty('value', 'deleted');
    await screen.findByText('1 calls');
  });

  it('of texts and days are sent when they are complete', async () => {
    const list = listOf(1);
    open(list);
    const phone = screen.getByLabelText('Phone');
    type(phone, ' +3161 ');
    expect(location.hash).toBe('#/calls');
    fireEvent.change(phone);
    expect(location.hash).toBe(`#/calls?phone=${encodeURIComponent('+3161')}`);
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-02-01' } });
    const start_date = new Date(2026, 1, 1).toISOString();
    await waitFor(() => expect(list.mock.lastCall?.[0]).toMatchObject({ phone: '+3161', start_date }));
  });

  it('are cleared together, including the search', async () => {
    open(listOf(1), '#/calls?q=table&status=failed&from=2026-02-01');
    press('Clear filters');
    expect(location.hash).toBe('#/calls');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull());
  });

  it('cannot be cleared if there is a search only', () => {
    open(listOf(1), '#/calls?q=table');
    expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
  });
});

describe('the search in transcripts', () => {
  it('is sent on Enter, and cleared with its text', async () => {
    const list = listOf(1);
    open(list);
    const field = screen.getByRole('searchbox', { name: 'Search in transcripts' });
    type(field, ' late table ');
    expect(location.hash).toBe('#/calls');
    fireEvent.submit(field.closest('form') as HTMLFormElement);
    expect(location.hash).toBe('#/calls?q=late+table');
    await waitFor(() => expect(list.mock.lastCall?.[0]).toMatchObject({ q: 'late table' }));
    type(field, '');
    expect(location.hash).toBe('#/calls');
  });

  it('says that there may be more than the service counts', async () => {
    open(listOf(1_000), '#/calls?q=table');
    await screen.findByText(/^The first 1.000 calls that match/);
  });

  it('shows the search of the URL', () => {
    open(listOf(1), '#/calls?q=table');
    goTo('#/calls?q=chair');
    expect(screen.getByRole('searchbox')).toHaveProperty('value', 'chair');
  });
});
