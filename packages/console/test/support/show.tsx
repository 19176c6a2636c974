import { configure, fireEvent, waitFor } from '@testing-library/dom';
import { type ComponentChild, options, render } from 'preact';
import { act } from 'preact/test-utils';
import { onTestFinished } from 'vitest';
import { ConfirmDialog } from '../../src/app/ui/dialog/confirm.tsx';
import { Toasts } from '../../src/app/ui/notice/toast.tsx';

configure({
  // The limit of `vi.waitFor` in this repository. A wait ends as soon as its condition holds.
  asyncUtilTimeout: 30_000,
  // Renders the result of an event, and runs the effects, before the test goes on.
  eventWrapper(dispatch) {
    let result: unknown;
    void act(() => {
      result = dispatch();
    });
    return result;
  },
});
// Runs the effects of a render at once, instead of after the next frame.
options.requestAnimationFrame = (run) => queueMicrotask(run);

export interface Shown {
  /** The element that contains the content. */
  readonly element: HTMLElement;
  readonly rerender: (content: ComponentChild) => void;
  /** Removes the content, which also happens at the end of the test. */
  readonly unmount: () => void;
}

/** Renders the content into the document until the end of the test. */
export function show(content: ComponentChild): Shown {
  const element = document.createElement('div');
  document.body.append(element);
  const rerender = (next: ComponentChild): void => void act(() => render(next, element));
  const unmount = (): void => rerender(null);
  rerender(content);
  onTestFinished(() => {
    unmount();
    element.remove();
  });
  return { element, rerender, unmount };
}

/** Renders a page at a route, with the dialogs and notices of the shell. */
export function showPage(page: ComponentChild, fragment = '#/'): Shown {
  goTo(fragment);
  const shown = show(
    <>
      <main id="content" tabIndex={-1}>
        {page}
      </main>
      <ConfirmDialog />
      <Toasts />
    </>,
  );
  // Questions and notices are global: the next test must not find them.
  onTestFinished(() => {
    for (const dialog of document.querySelectorAll('dialog')) fireEvent(dialog, new Event('cancel'));
    for (const close of document.querySelectorAll('.toasts button')) fireEvent.click(close);
  });
  return shown;
}

/** Navigates to a fragment, such as `#/calls?status=ended`. */
export function goTo(fragment: string): void {
  void act(() => {
    location.hash = fragment;
    dispatchEvent(new HashChangeEvent('hashchange'));
  });
}

/** Waits for a condition that changes nothing in the document, such as the result of a hook. */
export async function until(check: () => void): Promise<void> {
  await waitFor(check, { interval: 1 });
}

/** Waits until all that follows from settled promises has happened and is rendered. */
export async function settle(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Calls a hook in a component. `current` is its last result. */
export function showHook<T>(use: () => T): { readonly current: T; readonly unmount: () => void } {
  const results: T[] = [];
  const Host = (): null => {
    results.push(use());
    return null;
  };
  const { unmount } = show(<Host />);
  return {
    get current() {
      const last = results.at(-1);
      if (last === undefined) throw new Error('The hook was not called.');
      return last;
    },
    unmount,
  };
}
