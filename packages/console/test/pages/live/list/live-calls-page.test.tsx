// @vitest-environment happy-dom
import { screen } from '@testing-library/dom';
import type { Call, CallEvent, Client, LiveEvent } from '@va/client';
import { sampleCall } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LivePage } from '../../../../src/app/pages/live/live-page.tsx';
import { callEvent, instant, liveState } from '../../../support/live-events.ts';
import { ScriptedStream } from '../../../support/scripted-stream.ts';
import { refusal, sessionWith } from '../../../support/session.ts';
import { showPage } from '../../../support/show.tsx';
import { cellsOf, press, textOf } from '../../../support/user.ts';

type List = Client['calls']['list'];

beforeEach(() => void vi.useFakeTimers({ now: Date.parse(instant(60)) }));
afterEach(() => void vi.useRealTimers());

/** Lets time pass, with all that the streams have sent. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

const live = (id: string, seconds: number, changes: Partial<Call> = {}): Call =>
  sampleCall({
    ...{ id, status: 'in-progress', agent_name: 'Reception', created_at: instant(seconds) },
    ...{ started_at: instant(seconds), answered_at: instant(seconds) },
    ...changes,
  });

/** A list request that is answered with the calls that are live then. */
function listOf(calls: readonly Call[], total = calls.length) {
  const state = { calls, total };
  const list = vi.fn<List>(
    async () =>
      ({ calls: [...state.calls], pagination: { total: state.total, limit: 100, offset: 0 } }) as Awaited<
        ReturnType<List>
      >,
  );
  return { list, state };
}

async function open(list: List) {
  const events = new ScriptedStream<CallEvent>();
  const moments = new ScriptedStream<LiveEvent>();
  const calls = { list, watch: events.open, live: (_query?: object, options?: object) => moments.open(options) };
  const { unmount } = showPage(<LivePage session={sessionWith({ calls })} />, '#/live');
  events.connect();
  moments.connect();
  // The list is requested after the connection.
  await pass(0);
  await pass(0);
  return { events, moments, unmount };
}

const rows = () => cellsOf(screen.getByRole('table', { name: 'Live calls' }));
const column = (index: number): readonly (string | undefined)[] => rows().map((cells) => cells[index]);

describe('the list of live calls', () => {
  it('shows who speaks with whom, since when', async () => {
    await open(listOf([live('b', 30), live('a', 10, { direction: 'web', assistant_phone: null })]).list);
    expect(rows()).toEqual([
      ['Web pageWeb', 'Reception', '0:50', 'Agent –Caller –', '', '–'],
      ['+31612345678Inbound · +31201234567', 'Reception', '0:30', 'Agent –Caller –', '', '–'],
    ]);
    expect(screen.getByRole('link', { name: 'Web page' }).getAttribute('href')).toBe('#/live/a');
    await pass(5_000);
    expect(column(2)).toEqual(['0:55', '0:35']);
  });

  it('requests the calls that have not ended', async () => {
    const { list } = listOf([]);
    await open(list);
    expect(list.mock.calls[0]?.[0]).toEqual({ status: ['queued', 'connecting', 'in-progress'], limit: 100 });
    expect(screen.getByRole('heading', { name: 'No live calls' })).toBeTruthy();
  });

  it('shows what both sides do and what the agent waits for', async () => {
    const { moments } = await open(listOf([live('a', 10)]).list);
    moments.send(liveState('a', { state: 'thinking', waits_for: 'tool', tools: ['find_table'] }));
    await pass(100);
    expect(rows()[0]?.slice(3, 5)).toEqual(['Agent thinksCaller is quiet', 'Runs find_table']);
    await pass(2_000);
    expect(column(4)).toEqual(['Runs find_table · 2 s']);
    moments.send(liveState('a', { caller_speaks: true, waits_for: 'end_of_turn', remaining_ms: 800 }));
    await pass(100);
    expect(rows()[0]?.slice(3, 5)).toEqual([
      'Agent listensCaller speaks',
      'Waits until the caller has finished · 800 ms more',
    ]);
  });

  it('shows that the agent is muted or replaced', async () => {
    const { moments } = await open(listOf([live('a', 10), live('b', 20)]).list);
    moments.send(liveState('a', { is_muted: true }), liveState('b', { is_muted: true, is_taken_over: true }));
    await pass(100);
    expect(column(3)).toEqual(['Agent is mutedCaller is quiet', 'Agent is replaced by a personCaller is quiet']);
  });

  it('shows the levels of both sides', async () => {
    const { moments } = await open(listOf([live('a', 10)]).list);
    moments.send({ type: 'levels', call_id: 'a', at: instant(1), agent_db: -25, caller_db: -60 });
    await pass(100);
    const bars = [...document.querySelectorAll<HTMLElement>('.level-bar')].map(({ style }) => style.transform);
    expect(bars).toEqual(['scaleX(0.50)', 'scaleX(0.00)']);
  });

  it('shows the last words, and those that may still change', async () => {
    const { events, moments } = await open(listOf([live('a', 10)]).list);
    events.send(callEvent('a', 1, 'transcript', { role: 'user', content: 'A table.' }, 12));
    await pass(100);
    expect(column(5)).toEqual(['Caller: A table.']);
    moments.send({ type: 'agent-speech', call_id: 'a', at: instant(14), content: 'For how many?' });
    await pass(100);
    expect(column(5)).toEqual(['Agent: For how many?']);
    expect(document.querySelector('.partial')?.textContent).toContain('For how many?');
  });

  it('batches events for 100 ms', async () => {
    const { events } = await open(listOf([live('a', 10)]).list);
    events.send(callEvent('a', 1, 'transcript', { role: 'user', content: 'A table.' }, 12));
    await pass(99);
    expect(column(5)).toEqual(['–']);
    await pass(1);
    expect(column(5)).toEqual(['Caller: A table.']);
  });

  it('shows an ended call with its reason for six seconds', async () => {
    const { events } = await open(listOf([live('a', 10)]).list);
    events.send(callEvent('a', 2, 'status', { status: 'ended', end_reason: 'user_hangup', error: null }, 61));
    await pass(100);
    expect(rows()[0]?.slice(2, 5)).toEqual(['', 'Ended', 'The other party hung up.']);
    await pass(5_800);
    expect(rows()).toHaveLength(1);
    await pass(200);
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('is loaded again after an event of a call that it lacks', async () => {
    const { list, state } = listOf([live('a', 10)]);
    const { moments } = await open(list);
    await pass(2_000);
    const before = list.mock.calls.length;
    state.calls = [live('a', 10), live('b', 60, { status: 'connecting', answered_at: null })];
    moments.send(liveState('b'), liveState('b', { state: 'speaking' }));
    await pass(3_000);
    expect(list.mock.calls.length).toBe(before + 1);
    expect(column(3)[1]).toBe('Ringing');
  });

  it('is loaded again for missing calls about ten times a minute at most', async () => {
    const { list } = listOf([]);
    const { moments } = await open(list);
    for (let n = 0; n < 600; n += 1) {
      moments.send(liveState(`call-${n}`));
      await pass(100);
    }
    expect(list.mock.calls.length).toBeLessThan(15);
    expect(list.mock.calls.length).toBeGreaterThan(5);
  });

  it('is not loaded again for a call that has ended', async () => {
    const { list } = listOf([]);
    const { events } = await open(list);
    await pass(1_000);
    const before = list.mock.calls.length;
    events.send(callEvent('gone', 1, 'status', { status: 'ended', end_reason: null, error: null }));
    await pass(5_000);
    expect(list.mock.calls.length).toBe(before);
  });

  it('says that there are more calls than it shows', async () => {
    await open(listOf([live('a', 10)], 250).list);
    expect(screen.getByText('The first 100 of 250 live calls.')).toBeTruthy();
  });
});

describe('the connection of the list', () => {
  const mark = (): string => textOf(document.querySelector('.connection') ?? document.body);

  it('is the worst of its streams', async () => {
    const { events, moments } = await open(listOf([live('a', 10)]).list);
    expect(mark()).toBe('Up to date');
    moments.connect(false);
    await pass(0);
    expect(mark()).toBe('Connection lost. Reconnecting…');
    events.fail(refusal('too many streams'));
    await pass(0);
    expect(mark()).toBe('Not connected');
    expect(textOf(screen.getByRole('alert'))).toContain('too many streams');
  });

  it('loads the list again after it was lost', async () => {
    const { list } = listOf([live('a', 10)]);
    const { events } = await open(list);
    await pass(2_000);
    const before = list.mock.calls.length;
    events.connect(false);
    events.connect();
    await pass(5_000);
    expect(list.mock.calls.length).toBe(before + 1);
  });

  it('drops words that may have changed while it was lost', async () => {
    const { moments } = await open(listOf([live('a', 10)]).list);
    moments.send({ type: 'partial-transcript', role: 'user', call_id: 'a', at: instant(11), content: 'a ta' });
    await pass(100);
    expect(column(5)).toEqual(['Caller: a ta']);
    moments.connect(false);
    moments.connect();
    await pass(100);
    expect(column(5)).toEqual(['–']);
  });

  it('is opened again on request', async () => {
    const { list } = listOf([live('a', 10)]);
    const { events, moments } = await open(list);
    events.fail(refusal('too many streams'));
    await pass(0);
    press('Try again');
    await pass(5_000);
    expect([events.connections.length, moments.connections.length]).toEqual([2, 1]);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is closed when the page is left', async () => {
    const { list } = listOf([live('a', 10)]);
    const { events, moments, unmount } = await open(list);
    unmount();
    expect([events.current.signal?.aborted, moments.current.signal?.aborted]).toEqual([true, true]);
  });

  it('shows that the list cannot be loaded', async () => {
    await open(() => Promise.reject(refusal('forbidden')));
    expect(textOf(screen.getByRole('alert'))).toContain('forbidden');
    expect(screen.queryByText('Loading…')).toBeNull();
  });
});
