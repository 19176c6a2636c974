// @vitest-environment happy-dom
import type { CallEvent, LiveEvent } from '@va/client';
import { sampleCall } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { type CallView, changeView, emptyView, type ViewChange } from '../../../src/app/pages/live/call/call-view.ts';
import {
  changeCalls,
  type LiveCallList,
  type LiveChange,
  noCalls,
  rowsOf,
} from '../../../src/app/pages/live/list/live-calls.ts';

const call_id = '019a3f60-0000-7000-8000-000000000001';
const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();

function moment(event: Record<string, unknown>): { type: 'moment'; event: LiveEvent; nowMs: number } {
  return { type: 'moment', event: { call_id, at: at(0), ...event } as LiveEvent, nowMs: 0 };
}

function stored(seq: number, type: CallEvent['type'], data: object, second = 0): { type: 'event'; event: CallEvent } {
  return { type: 'event', event: { id: String(seq), type, call_id, at: at(second), data } as CallEvent };
}

const state = (fields: object = {}) =>
  moment({
    ...{ type: 'state', state: 'listening', caller_speaks: false, waits_for: 'caller', remaining_ms: null },
    ...{ tools: [], is_muted: false, ...fields },
  });
const partial = (content: string, second = 0) =>
  moment({ type: 'partial-transcript', role: 'user', content, at: at(second) });
const begins = (content: string, second = 0) => moment({ type: 'agent-speech', content, at: at(second) });
const said = (seq: number, role: string, content: string, second: number) =>
  stored(seq, 'transcript', { role, content, ...(role === 'assistant' && { interrupted: false }) }, second);

describe('the view of a live call', () => {
  const view = (...changes: readonly ViewChange[]): CallView => changes.reduce(changeView, emptyView);
  const wordsOf = ({ items }: CallView): unknown[] => items.map((item) => ('text' in item ? item.text : item.kind));

  it('replaces interim words by the final ones', () => {
    expect(view(partial('a ta'), partial('a table')).partial?.text).toBe('a table');
    const after = view(partial('a table', 1), said(1, 'user', 'A table.', 2));
    expect([after.partial, wordsOf(after)]).toEqual([null, ['A table.']]);
  });

  it('keeps interim words that the service has dropped until it settles, and then removes them', () => {
    const dropped = view(partial('hm', 1), partial('', 2));
    expect(dropped.partial?.text).toBe('hm');
    expect(changeView(dropped, { type: 'settle' }).partial).toBeNull();
    expect(changeView(view(partial('hm', 1)), { type: 'settle' }).partial?.text).toBe('hm');
  });

  it('ignores interim words that arrive after their transcript', () => {
    const after = view(
      said(1, 'user', 'A table.', 3),
      partial('A table', 2),
      said(2, 'assistant', 'Yes.', 6),
      begins('Yes.', 5),
    );
    expect([after.partial, after.speech]).toEqual([null, []]);
    expect(changeView(after, partial('and', 7)).partial?.text).toBe('and');
  });

  it('removes unheard speech of the agent when it settles, unless an interruption is undecided', () => {
    const paused = view(begins('We are open', 1), state({ waits_for: 'interruption' }));
    expect(changeView(paused, { type: 'settle' }).speech).toHaveLength(1);
    expect(view(begins('We are open', 1), state(), { type: 'settle' }).speech).toEqual([]);
  });

  it('keeps the part of an interrupted reply that was not heard', () => {
    const cut = { role: 'assistant', content: 'One table', interrupted: true, unheard: 'at eight.' };
    const { items } = view(stored(1, 'transcript', cut), said(2, 'assistant', 'Yes.', 2), said(3, 'user', 'No.', 3));
    expect(items.map((item) => item.kind === 'words' && [item.text, item.isInterrupted, item.unheard])).toEqual([
      ['One table', true, 'at eight.'],
      ['Yes.', false, ''],
      ['No.', false, ''],
    ]);
  });

  it('applies a repeated event once', () => {
    expect(wordsOf(view(said(1, 'user', 'One', 1), said(2, 'user', 'Two', 2), said(1, 'user', 'One', 1)))).toEqual([
      'One',
      'Two',
    ]);
  });

  it('assigns a result to the last running tool with its id', () => {
    const tool = (seq: number) => stored(seq, 'tool-call', { id: 'a', name: 'find', arguments: {} });
    const result = (seq: number, value: number) =>
      stored(seq, 'tool-result', { id: 'a', name: 'find', ok: true, result: value });
    const { items } = view(tool(1), result(2, 1), tool(3), result(4, 2));
    expect(items.map((item) => item.kind === 'tool' && item.outcome)).toEqual([
      { ok: true, result: 1 },
      { ok: true, result: 2 },
    ]);
  });

  it('has no floor and no interim words once the call has ended', () => {
    const over = view(
      state(),
      partial('a'),
      stored(1, 'status', { status: 'ended', end_reason: 'user_hangup', error: null }),
    );
    expect([over.floor, over.partial]).toEqual([null, null]);
    expect(changeView(over, state()).floor).toBeNull();
  });
});

describe('the list of live calls', () => {
  const list = (...changes: readonly LiveChange[]): LiveCallList => changes.reduce(changeCalls, noCalls);
  const live = (id: string, second: number) =>
    sampleCall({ id, status: 'in-progress', created_at: at(second), started_at: at(second) });
  const ended = stored(9, 'status', { status: 'ended', end_reason: 'user_hangup', error: null });

  it('is ordered by the start of the calls, whatever events arrive', () => {
    const other = '019a3f60-0000-7000-8000-000000000002';
    const rows = rowsOf(list({ type: 'listed', calls: [live(other, 2), live(call_id, 1)] }, state(), partial('a')));
    expect(rows.map(({ call }) => call.id)).toEqual([call_id, other]);
    expect(rows[0]?.words).toEqual({ role: 'user', text: 'a', isPartial: true });
  });

  it('shows the state of a call that is listed after its first live event', () => {
    const [row] = rowsOf(list(state({ state: 'thinking' }), { type: 'listed', calls: [live(call_id, 1)] }));
    expect(row?.floor?.state.state).toBe('thinking');
  });

  it('shows the last final words again when later interim ones are dropped', () => {
    const calls = list({ type: 'listed', calls: [live(call_id, 1)] }, said(1, 'user', 'Hello.', 1), partial('hm', 2));
    for (const change of [partial('', 3), { type: 'reconnected' } as const, ended]) {
      expect(rowsOf(changeCalls(calls, change))[0]?.words?.text).toBe('Hello.');
    }
  });

  it('keeps an ended call until it is removed, also when the list is loaded meanwhile', () => {
    const over = list({ type: 'listed', calls: [live(call_id, 1)] }, ended, { type: 'listed', calls: [] });
    expect(rowsOf(over)).toMatchObject([{ status: 'ended', endReason: 'user_hangup' }]);
    expect(changeCalls(over, { type: 'gone', id: call_id })).toEqual(noCalls);
  });

  it('removes a call that is missing when the list is loaded again', () => {
    const calls = list({ type: 'listed', calls: [live(call_id, 1)] }, state(), { type: 'listed', calls: [] });
    expect(calls).toEqual(noCalls);
  });
});
