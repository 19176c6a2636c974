// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useAction } from '../../src/app/data/use-action.ts';
import { useRefresh } from '../../src/app/data/use-refresh.ts';
import { useSlowly } from '../../src/app/data/use-slowly.ts';
import { useTimers } from '../../src/app/data/use-timers.ts';
import { deferred } from '../support/session.ts';
import { show, showHook } from '../support/show.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number): void => void act(() => void vi.advanceTimersByTime(ms));

describe('an action', () => {
  it('is busy until it ends', async () => {
    const hook = showHook(useAction);
    const done = deferred();
    void act(() => void hook.current.run(() => done.promise));
    expect(hook.current.isBusy).toBe(true);
    await act(async () => done.resolve());
    expect(hook.current).toMatchObject({ isBusy: false, error: null });
  });

  it('keeps its error until it runs again or the error is cleared', async () => {
    const hook = showHook(useAction);
    const error = new Error('refused');
    const onError = vi.fn();
    await act(() => hook.current.run(() => Promise.reject(error), onError));
    expect(hook.current).toMatchObject({ isBusy: false, error });
    expect(onError.mock.calls).toEqual([[error]]);
    void act(() => hook.current.clearError());
    expect(hook.current.error).toBeNull();
    await act(() => hook.current.run(() => Promise.reject(error)));
    const again = deferred();
    void act(() => void hook.current.run(() => again.promise));
    expect(hook.current).toMatchObject({ isBusy: true, error: null });
  });
});

describe('the refresh of a page', () => {
  it('runs every 15 seconds, with the latest function, until the page is left', () => {
    const calls: string[] = [];
    const Host = ({ name }: { readonly name: string }): null => {
      useRefresh(() => calls.push(name));
      return null;
    };
    const { rerender, unmount } = show(<Host name="first" />);
    pass(14_999);
    expect(calls).toEqual([]);
    pass(1);
    rerender(<Host name="second" />);
    pass(15_000);
    expect(calls).toEqual(['first', 'second']);
    unmount();
    pass(60_000);
    expect(calls).toHaveLength(2);
  });

  it('pauses while the page is hidden', () => {
    const refresh = vi.fn();
    showHook(() => useRefresh(refresh));
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    pass(15_000);
    expect(refresh).not.toHaveBeenCalled();
    hidden.mockReturnValue(false);
    pass(15_000);
    expect(refresh).toHaveBeenCalledTimes(1);
    hidden.mockRestore();
  });
});

describe('a value whose changes are throttled', () => {
  let shown: number;
  const Host = ({ value }: { readonly value: number }): null => {
    shown = useSlowly(value, 3_000);
    return null;
  };

  it('is shown at once the first time, then at most once per interval, up to the last change', () => {
    const { rerender } = show(<Host value={1} />);
    expect(shown).toBe(1);
    rerender(<Host value={2} />);
    pass(0);
    expect(shown).toBe(2);
    rerender(<Host value={3} />);
    pass(1_000);
    rerender(<Host value={4} />);
    pass(1_999);
    expect(shown).toBe(2);
    pass(1);
    expect(shown).toBe(4);
  });

  it('does not change if the value changes back within the interval', () => {
    const { rerender } = show(<Host value={1} />);
    rerender(<Host value={2} />);
    pass(0);
    rerender(<Host value={3} />);
    pass(500);
    rerender(<Host value={2} />);
    pass(10_000);
    expect(shown).toBe(2);
  });
});

describe('the timers of a component', () => {
  it('run, and are cleared when it is removed', () => {
    const hook = showHook(useTimers);
    const run = vi.fn();
    hook.current(100, () => run('first'));
    hook.current(300, () => run('second'));
    pass(100);
    hook.unmount();
    pass(1_000);
    expect(run.mock.calls).toEqual([['first']]);
  });
});
