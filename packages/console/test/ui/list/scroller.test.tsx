// @vitest-environment happy-dom
import { screen } from '@testing-library/dom';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Scroller } from '../../../src/app/ui/list/scroller.tsx';
import { Tabs } from '../../../src/app/ui/tabs.tsx';
import { show } from '../../support/show.tsx';

let onResize: () => void;
const observed: Element[] = [];
let isDisconnected = false;

class ScriptedResizeObserver {
  constructor(callback: () => void) {
    onResize = callback;
  }
  observe(element: Element): void {
    observed.push(element);
  }
  disconnect(): void {
    isDisconnected = true;
  }
}

beforeEach(() => {
  observed.length = 0;
  isDisconnected = false;
  vi.stubGlobal('ResizeObserver', ScriptedResizeObserver);
});
afterEach(() => void vi.unstubAllGlobals());

/** Sets the size of an element, which has none without a layout. */
function resize(element: Element, sizes: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(sizes))
    Object.defineProperty(element, name, { value, configurable: true });
  void act(() => onResize());
}

describe('a scrolling box', () => {
  it('is a focusable region only while its content overflows', () => {
    const { element } = show(
      <Scroller class="table-frame" label="Calls">
        <p>Content</p>
      </Scroller>,
    );
    const box = element.firstElementChild as HTMLElement;
    expect(screen.queryByRole('region')).toBeNull();
    resize(box, { scrollWidth: 200, clientWidth: 100, scrollHeight: 10, clientHeight: 10 });
    expect(screen.getByRole('region', { name: 'Calls' }).tabIndex).toBe(0);
    resize(box, { scrollWidth: 100, clientWidth: 100 });
    expect(screen.queryByRole('region')).toBeNull();
    resize(box, { scrollHeight: 11 });
    expect(screen.getByRole('region', { name: 'Calls' })).toBe(box);
  });

  it('observes itself and its content until it is removed', () => {
    const { element, unmount } = show(
      <Scroller class="x" label="Calls">
        <p>Content</p>
      </Scroller>,
    );
    expect(observed).toEqual([element.firstElementChild, screen.getByText('Content')]);
    unmount();
    expect(isDisconnected).toBe(true);
  });
});

describe('the tabs of a page', () => {
  const tabs = [
    { id: 'a', title: 'Identity', href: '#/a', mark: 'changed' },
    { id: 'b', title: 'Model', href: '#/b', mark: 'faulty' },
    { id: 'c', title: 'Tools', href: '#/c' },
  ] as const;

  it('are links, of which the current one is marked', () => {
    show(<Tabs tabs={tabs} current="c" label="Parts" />);
    expect(screen.getByRole('navigation', { name: 'Parts' })).toBeTruthy();
    expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Tools');
    expect(screen.getByRole('link', { name: 'Tools' }).getAttribute('href')).toBe('#/c');
  });

  it('say which have changes or faults', () => {
    show(<Tabs tabs={tabs} current="c" label="Parts" />);
    expect(screen.getByRole('link', { name: 'Identity (changed)' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Model (has faults)' })).toBeTruthy();
  });

  it('scroll the current one into view', () => {
    const at = (left: number, width: number) => ({ left, width }) as DOMRect;
    const measure = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
      this: HTMLElement,
    ) {
      return this.tagName === 'NAV' ? at(0, 100) : at(300, 40);
    });
    show(<Tabs tabs={tabs} current="c" label="Parts" />);
    // The middle of the link, 320 px, comes to the middle of the row, 50 px.
    expect(screen.getByRole('navigation').scrollLeft).toBe(270);
    measure.mockRestore();
  });
});
