// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/dom';
import type { Client, UsageSummary } from '@va/client';
import { sampleAgent } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UsagePage } from '../../../src/app/pages/usage/usage-page.tsx';
import { ignoreDrawing } from '../../support/drawing.ts';
import { type CallFigures, sampleFigures, sampleUsageSummary } from '../../support/records.ts';
import { collectSavedFiles } from '../../support/saved-files.ts';
import { deferred, refusal, type ScriptedClient, sessionWith } from '../../support/session.ts';
import { showPage } from '../../support/show.tsx';
import { cellsOf, choose, press, textOf } from '../../support/user.ts';

type Get = Client['statistics']['get'];
type Statistics = Awaited<ReturnType<Get>>;

/** The names of the methods by which the charts were drawn. */
let drawn: readonly string[];

beforeEach(() => {
  drawn = ignoreDrawing();
  vi.useFakeTimers({ now: Date.UTC(2026, 2, 31, 12), toFake: ['Date'] });
});
afterEach(() => void vi.useRealTimers());

const statistics = (
  group_by: Statistics['group_by'],
  total: CallFigures,
  keys: readonly (string | null)[],
): Statistics => ({ group_by, total, stats: keys.map((key) => ({ ...total, key })) }) as Statistics;

/** Statistics of one group for each grouping. */
const groups = vi.fn<Get>(async (query) => {
  const keys = { day: '2026-03-30', agent: 'agent-1', campaign: null, end_reason: 'no_answer', direction: 'web' };
  const group = query?.group_by ?? 'day';
  return statistics(group, sampleFigures(), [keys[group]]);
});

function open(
  query = '',
  get: Get = groups,
  summary: UsageSummary = sampleUsageSummary(),
  client: ScriptedClient = {},
): void {
  const usage = { list: async () => ({ summary, logs: [] }) as never };
  const agents = { list: async () => [sampleAgent({ id: 'agent-1', name: 'Reception' })] };
  const campaigns = { list: async () => [] };
  showPage(
    <UsagePage session={sessionWith({ statistics: { get }, usage, agents, campaigns, ...client })} />,
    `#/usage${query}`,
  );
}

const table = () => screen.findByRole('table', { name: 'Figures by group' });
const number = (value: number): string => value.toLocaleString();

describe('the usage', () => {
  it('of the last 30 days is shown by day', async () => {
    groups.mockClear();
    open();
    const figures = ['12', '10', number(34.5), number(2.25), '640 ms', '1.3 s', '4', '1 / 6'];
    expect(cellsOf(await table())).toEqual([
      ['2026-03-30', ...figures],
      ['Total', ...figures],
    ]);
    expect(groups.mock.calls.map(([query]) => query)).toEqual([
      { start_date: '2026-03-02', end_date: '2026-03-31', group_by: 'day' },
    ]);
  });

  it.each([
    ['agent', 'Agent', 'Reception'],
    ['campaign', 'Campaign', 'None'],
    ['end_reason', 'End reason', 'No answer'],
  ])('by %s names the groups', async (group, title, name) => {
    open(`?group=${group}`);
    const shown = await table();
    expect(cellsOf(shown)[0]?.[0]).toBe(name);
    expect(screen.getAllByRole('columnheader')[0]?.textContent).toBe(title);
  });

  it('has the totals over the charts', async () => {
    open();
    await table();
    const captions = [...document.querySelectorAll('figcaption')].map(textOf);
    expect(captions).toEqual([
      'Calls 12',
      `Minutes ${number(34.5)}`,
      `Cost ${number(2.25)}`,
      'Latency p50 640 ms · p95 1.3 s',
      'Interruptions 4',
      'Failed tools 1',
    ]);
  });

  it('draws each chart', async () => {
    open();
    await table();
    await waitFor(() => expect(document.querySelectorAll('.chart canvas')).toHaveLength(6));
    await waitFor(() => expect(drawn).toContain('stroke'));
  });

  it('has the end reasons, the most frequent first', async () => {
    open('', async () => statistics('day', sampleFigures({ end_reasons: { no_answer: 2, user_hangup: 10 } }), []));
    await table();
    const shares = [...(document.querySelectorAll('.shares')[0]?.children ?? [])];
    expect(shares.map(textOf)).toEqual(['Caller hung up10', 'No answer2']);
    expect(shares.map((share) => share.querySelector<HTMLElement>('.bar')?.style.width)).toEqual(['100%', '20%']);
  });

  it('has the cost by provider', async () => {
    const item = { kind: 'input_tokens', quantity: 1_000, unit: 'token', own_key: false } as const;
    const summary = sampleUsageSummary({
      breakdown: [
        { ...item, provider: 'openai', model: 'a', price: 1 },
        { ...item, provider: 'openai', model: 'b', price: 2 },
        { ...item, provider: 'local', model: null, price: null },
      ],
    });
    open('', groups, summary);
    const costs = await screen.findByRole('table', { name: 'Cost by provider' });
    expect(cellsOf(costs).map((cells) => cells.at(-1))).toEqual(['1', '2', 'no price']);
    const shares = document.querySelectorAll('.shares')[1];
    expect([...(shares?.children ?? [])].map(textOf)).toEqual(['openai3', 'local0']);
  });

  it('says that there were no calls', async () => {
    open('', async () => statistics('day', sampleFigures({ calls: 0 }), []));
    await screen.findByRole('heading', { name: 'No calls in this period' });
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('shows an error, and loads again on request', async () => {
    const get = vi.fn<Get>().mockRejectedValueOnce(refusal('too many requests')).mockImplementation(groups);
    open('', get);
    expect(textOf(await screen.findByRole('alert'))).toContain('too many requests');
    press('Try again');
    await table();
  });
});

describe('the period of the usage', () => {
  it('is chosen by its length', async () => {
    groups.mockClear();
    open();
    await table();
    expect(screen.getByRole('button', { name: '30 days', pressed: true })).toBeTruthy();
    press('7 days');
    expect(location.hash).toBe('#/usage?from=2026-03-25&to=2026-03-31');
    await waitFor(() => expect(groups.mock.lastCall?.[0]).toMatchObject({ start_date: '2026-03-25' }));
    expect(screen.getByRole('button', { name: '7 days', pressed: true })).toBeTruthy();
  });

  it('is chosen by its days', async () => {
    open('?from=2026-01-01&to=2026-01-31');
    await table();
    expect(screen.queryByRole('button', { pressed: true })).toBeNull();
    expect(screen.getByLabelText('From')).toHaveProperty('value', '2026-01-01');
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-02-15' } });
    await waitFor(() => expect(groups.mock.lastCall?.[0]).toMatchObject({ end_date: '2026-02-15' }));
  });

  it('aborts the request for another one', async () => {
    const get = vi.fn<Get>(() => new Promise(() => {}));
    open('', get);
    await waitFor(() => expect(get).toHaveBeenCalledTimes(1));
    press('7 days');
    await waitFor(() => expect(get).toHaveBeenCalledTimes(2));
    expect(get.mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
  });
});

describe('the export of the usage', () => {
  it('has the shown groups with unformatted numbers', async () => {
    const files = collectSavedFiles();
    open('?group=agent');
    await table();
    press('Export CSV');
    expect(files.map(({ name }) => name)).toEqual(['calls-by-agent-2026-03-02-2026-03-31.csv']);
    expect((await files[0]?.content.text())?.split('\r\n')).toEqual([
      'Agent,key,Calls,Answered,Minutes,Cost,Latency p50 (ms),Latency p95 (ms),Interruptions,Tool calls,Failed tools',
      'Reception,agent-1,12,10,34.5,2.25,640,1300,4,6,1',
      '',
    ]);
  });

  it('waits for the chosen groups', async () => {
    const answer = deferred<Statistics>();
    const get = vi.fn<Get>((query, options) => (query?.group_by === 'agent' ? answer.promise : groups(query, options)));
    open('', get);
    await table();
    const button = screen.getByRole('button', { name: 'Export CSV' });
    choose(screen.getByRole('combobox', { name: 'By' }), 'agent');
    expect(button).toHaveProperty('disabled', true);
    answer.resolve(statistics('agent', sampleFigures(), ['agent-1']));
    await waitFor(() => expect(button).toHaveProperty('disabled', false));
  });
});
