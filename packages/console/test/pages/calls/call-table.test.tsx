// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/dom';
import type { Client } from '@va/client';
import { sampleCall } from '@va/testkit';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CallPages } from '../../../src/app/pages/calls/call-pages.ts';
import { CallTable } from '../../../src/app/pages/calls/call-table.tsx';
import { watchKeys } from '../../../src/app/ui/keyboard/keys.ts';
import { scriptResizeObserver } from '../../support/browser-parts.ts';
import { sessionWith } from '../../support/session.ts';
import { showPage } from '../../support/show.tsx';

type List = Client['calls']['list'];

const total = 1_000;
const rowPx = 40;
let list: ReturnType<typeof vi.fn<List>>;
let onResize: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  onResize = scriptResizeObserver();
  list = vi.fn<List>(async (query = {}) => {
    const { offset = 0, limit = 50 } = query;
    const calls = Array.from({ length: limit }, (_, at) => sampleCall({ id: `call-${offset + at}` }));
    return { calls, pagination: { total, limit, offset } } as Awaited<ReturnType<List>>;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Advances the time. The visible rows are loaded 80 ms after the last scrolling. */
async function rest(ms = 80): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

async function open(pages = new CallPages(sessionWith({ calls: { list } }).client, {})) {
  onTestFinished(watchKeys());
  const { unmount } = showPage(<CallTable pages={pages} total={total} />, '#/calls');
  await rest();
  const frame = screen.getByRole('table').parentElement as HTMLElement;
  return { pages, frame, unmount };
}

/** Scrolls to a row, as by the wheel. */
function scrollTo(frame: HTMLElement, row: number): void {
  frame.scrollTop = row * rowPx;
  fireEvent.scroll(frame);
}

const offsets = (): readonly unknown[] => list.mock.calls.map(([query]) => query?.offset);
const focused = (): string | null => document.activeElement?.getAttribute('href') ?? null;
/** Presses a key. A browser reports that the table has scrolled with the selected row. */
function key(name: string): void {
  fireEvent.keyDown(document.activeElement ?? document.body, { key: name });
  fireEvent.scroll(screen.getByRole('table').parentElement as HTMLElement);
}
const waiting = (): number => screen.queryAllByText('Loading…').length;

describe('the table of calls', () => {
  it('loads the visible rows 80 ms after the last scrolling', async () => {
    const { frame } = await open();
    scrollTo(frame, 200);
    await rest(79);
    scrollTo(frame, 500);
    await rest(79);
    expect(offsets()).toEqual([0]);
    await rest(1);
    expect(offsets()).toEqual([0, 450, 500]);
    expect(waiting()).toBe(0);
  });

  it('keeps the height of all rows', async () => {
    const { frame } = await open();
    const heights = (): readonly number[] =>
      [...document.querySelectorAll<HTMLElement>('tr.space td')].map(({ style }) => Number.parseInt(style.height, 10));
    const rendered = (): number => document.querySelectorAll('tbody tr:not(.space)').length;
    for (const row of [0, 300, 990]) {
      scrollTo(frame, row);
      expect(heights().reduce((sum, height) => sum + height, 0) + rendered() * rowPx).toBe(total * rowPx);
    }
  });

  it('renders as many rows as the frame has room for', async () => {
    const { frame } = await open();
    const before = document.querySelectorAll('tbody tr:not(.space)').length;
    Object.defineProperty(frame, 'clientHeight', { value: 1_600, configurable: true });
    void act(() => onResize());
    expect(document.querySelectorAll('tbody tr:not(.space)').length).toBeGreaterThan(before);
  });

  it('is where it was when the user returns from a call', async () => {
    const { pages, frame, unmount } = await open();
    scrollTo(frame, 400);
    await rest();
    key('j');
    await rest();
    unmount();
    const again = await open(pages);
    expect(again.frame.scrollTop).toBe(pages.scrollTop);
    expect(focused()).toBe('#/calls/call-0');
    expect(document.querySelector('tr.selected a')?.getAttribute('href')).toBe('#/calls/call-0');
  });

  it('scrolls with the selected row', async () => {
    const { frame } = await open();
    for (let n = 0; n < 30; n += 1) key('j');
    expect(focused()).toBe('#/calls/call-29');
    expect(frame.scrollTop).toBeGreaterThan(0);
    for (let n = 0; n < 29; n += 1) key('k');
    expect([focused(), frame.scrollTop]).toEqual(['#/calls/call-0', 0]);
  });

  it('focuses a row that has to be loaded once it is', async () => {
    const { frame, pages } = await open();
    pages.selected = 699;
    scrollTo(frame, 690);
    key('j');
    expect(focused()).not.toBe('#/calls/call-700');
    await rest();
    expect(focused()).toBe('#/calls/call-700');
  });

  it('does not take the focus from a field in which the user types', async () => {
    const { frame, pages } = await open();
    pages.selected = 699;
    scrollTo(frame, 690);
    key('j');
    const field = document.createElement('input');
    document.body.append(field);
    onTestFinished(() => field.remove());
    field.focus();
    await rest();
    expect(document.activeElement).toBe(field);
  });

  it('keeps the focus when the last row is passed', async () => {
    const { frame, pages } = await open();
    pages.selected = total - 2;
    scrollTo(frame, total - 5);
    await rest();
    key('j');
    key('j');
    expect([focused(), pages.selected]).toEqual([`#/calls/call-${total - 1}`, total - 1]);
  });
});
