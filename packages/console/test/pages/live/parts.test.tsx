// @vitest-environment happy-dom
import type { LiveEvent } from '@va/client';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionMark } from '../../../src/app/pages/live/parts/connection-mark.tsx';
import { Elapsed } from '../../../src/app/pages/live/parts/elapsed.tsx';
import type { FloorView } from '../../../src/app/pages/live/parts/floor.ts';
import { Level } from '../../../src/app/pages/live/parts/level.tsx';
import { Sides } from '../../../src/app/pages/live/parts/sides.tsx';
import { Wait } from '../../../src/app/pages/live/parts/wait.tsx';
import { instant, liveState } from '../../support/live-events.ts';
import { show } from '../../support/show.tsx';
import { textOf } from '../../support/user.ts';

const nowMs = Date.parse(instant(60));
beforeEach(() => void vi.useFakeTimers({ now: nowMs }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number): void => void act(() => void vi.advanceTimersByTime(ms));

type LiveState = Extract<LiveEvent, { type: 'state' }>;
const floor = (changes: Partial<LiveState>, sinceMs = 0): FloorView => ({
  state: liveState('call-1', changes),
  receivedAtMs: nowMs,
  waitsSinceMs: nowMs - sinceMs,
});

describe('the reason of a wait', () => {
  it.each<[Partial<LiveState>, string]>([
    [{ waits_for: null }, ''],
    [{ waits_for: 'caller' }, 'Waits for the caller'],
    [{ waits_for: 'model' }, 'Waits for the model'],
    [{ waits_for: 'voice' }, 'Waits for the voice'],
    [{ waits_for: 'transfer' }, 'Transfers the call'],
    [{ waits_for: 'interruption' }, 'Waits for the end of the interruption'],
    [{ waits_for: 'tool' }, 'Runs a tool'],
    [{ waits_for: 'tool', tools: ['find', 'book'] }, 'Runs find, book'],
    [{ waits_for: 'of-a-later-version' as never }, 'of-a-later-version'],
    [{ waits_for: 'end_of_turn', remaining_ms: 1_200 }, 'Waits until the caller has finished · 1.2 s more'],
  ])('with %j is "%s"', (changes, words) => {
    expect(textOf(show(<Wait floor={floor(changes)} />).element)).toBe(words);
  });

  it('is nothing before the first state', () => {
    expect(textOf(show(<Wait floor={null} />).element)).toBe('');
  });

  it('counts the seconds since it began', () => {
    const { element } = show(<Wait floor={floor({ waits_for: 'model' }, 1_500)} />);
    expect(textOf(element)).toBe('Waits for the model · 1 s');
    pass(2_000);
    expect(textOf(element)).toBe('Waits for the model · 3 s');
  });

  it('has a bar that runs for the remaining time', () => {
    const { element } = show(<Wait floor={floor({ waits_for: 'end_of_turn', remaining_ms: 800 })} />);
    expect(element.querySelector<HTMLElement>('.countdown-bar')?.style.animationDuration).toBe('800ms');
    expect(element.querySelector('.countdown')?.getAttribute('aria-hidden')).toBe('true');
  });

  it('starts its bar again for a new state, not for another render', () => {
    const wait = { waits_for: 'end_of_turn', remaining_ms: 800 } as const;
    const { element, rerender } = show(<Wait floor={floor(wait)} />);
    const bar = element.querySelector('.countdown-bar');
    rerender(<Wait floor={floor(wait)} />);
    expect(element.querySelector('.countdown-bar')).toBe(bar);
    rerender(<Wait floor={floor({ ...wait, at: instant(61) })} />);
    expect(element.querySelector('.countdown-bar')).not.toBe(bar);
  });
});

describe('the time since an instant', () => {
  it.each([
    ['a minute ago', instant(0), '1:00'],
    ['now', instant(60), '0:00'],
    ['later, by a clock that is ahead', instant(70), '0:00'],
  ])('%s is shown in minutes and seconds', (_, since, words) => {
    expect(textOf(show(<Elapsed since={since} />).element)).toBe(words);
  });

  it('continues to count, and starts again for another instant', () => {
    const { element, rerender } = show(<Elapsed since={instant(50)} />);
    pass(3_000);
    expect(textOf(element)).toBe('0:13');
    rerender(<Elapsed since={instant(61)} />);
    expect(textOf(element)).toBe('0:02');
  });

  it('stops when it is removed', () => {
    const { unmount } = show(<Elapsed since={instant(50)} />);
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the level of a side', () => {
  it.each([
    [0, 'scaleX(1.00)'],
    [-25, 'scaleX(0.50)'],
    [-50, 'scaleX(0.00)'],
    [-60, 'scaleX(0.00)'],
    [6, 'scaleX(1.00)'],
  ])('of %i dB is the bar %s', (db, transform) => {
    const { element } = show(<Level db={db} />);
    expect(element.querySelector<HTMLElement>('.level-bar')?.style.transform).toBe(transform);
    expect(element.firstElementChild?.getAttribute('aria-hidden')).toBe('true');
  });
});

describe('the sides of a call', () => {
  it.each<[string, Partial<LiveState>, string]>([
    ['listens to a quiet caller', {}, 'Agent listensCaller is quiet'],
    ['listens to the caller', { caller_speaks: true, waits_for: null }, 'Agent listensCaller speaks'],
    ['speaks', { state: 'speaking' }, 'Agent speaksCaller is quiet'],
    ['thinks', { state: 'thinking' }, 'Agent thinksCaller is quiet'],
    ['is muted while it speaks', { state: 'speaking', is_muted: true }, 'Agent is mutedCaller is quiet'],
    ['is replaced', { is_taken_over: true, is_muted: true }, 'Agent is replaced by a personCaller is quiet'],
  ])('say that the agent %s', (_, changes, words) => {
    expect(textOf(show(<Sides state={liveState('call-1', changes)} levels={null} />).element)).toBe(words);
  });

  it('are unknown before the first state, and silent', () => {
    const { element } = show(<Sides state={null} levels={null} />);
    expect(textOf(element)).toBe('Agent –Caller –');
    const bars = [...element.querySelectorAll<HTMLElement>('.level-bar')].map(({ style }) => style.transform);
    expect(bars).toEqual(['scaleX(0.00)', 'scaleX(0.00)']);
  });
});

describe('the mark of a connection', () => {
  it.each([
    ['connecting', 'Connecting…'],
    ['open', 'Up to date'],
    ['broken', 'Connection lost. Reconnecting…'],
    ['lost', 'Not connected'],
  ] as const)('that is %s is announced', (connection, words) => {
    const mark = show(<ConnectionMark connection={connection} />).element.firstElementChild;
    expect([mark?.textContent, mark?.getAttribute('role')]).toEqual([words, 'status']);
  });
});
