import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** Loaded untyped, because these modules use types of the DOM. */
interface Rows {
  moveRow(by: 1 | -1): boolean;
  hasRows(): boolean;
  replaceRowMoves(move: (by: 1 | -1) => void): () => void;
}
interface Keys {
  isTyping(target: unknown): boolean;
}
interface Shortcuts {
  pressShortcut(key: string): boolean;
  shownShortcuts(): readonly object[];
}
const folder = '../../src/app/ui/keyboard';
const rows: Rows = await import(`${folder}/rows.ts`);
const keys: Keys = await import(`${folder}/keys.ts`);
const shortcuts: Shortcuts = await import(`${folder}/shortcuts.ts`);

class HtmlElement {
  isContentEditable = false;
  tagName = 'DIV';
  focused = 0;
  focus(): void {
    this.focused += 1;
  }
  scrollIntoView(): void {}
}
class HtmlInputElement extends HtmlElement {
  override tagName = 'INPUT';
  type = 'text';
}

let found: object[] = [];
const page = { activeElement: null as object | null, querySelectorAll: (_selector: string) => found };
beforeEach(() => {
  found = [];
  page.activeElement = null;
  vi.stubGlobal('document', page);
  vi.stubGlobal('HTMLElement', HtmlElement);
  vi.stubGlobal('HTMLInputElement', HtmlInputElement);
});
afterEach(() => void vi.unstubAllGlobals());

/** Sets rows with a link each, and returns the links. */
function showRows(count: number): HtmlElement[] {
  const links = Array.from({ length: count }, () => new HtmlElement());
  found = links.map((link) => ({
    contains: (element: object | null) => element === link,
    querySelector: () => link,
    hasAttribute: () => false,
  }));
  return links;
}

describe('moving through the rows of a list', () => {
  it.each([
    ['forward from no row', null, 1, 0],
    ['back from no row', null, -1, 2],
    ['forward', 0, 1, 1],
    ['back', 2, -1, 1],
    ['back from the first row', 0, -1, null],
    ['forward from the last row', 2, 1, null],
  ] as const)('%s focuses the link of the row', (_, from, by, to) => {
    const links = showRows(3);
    page.activeElement = from === null ? null : (links[from] ?? null);
    expect(rows.moveRow(by)).toBe(to !== null);
    expect(links.map(({ focused }) => focused)).toEqual([0, 1, 2].map((n) => (n === to ? 1 : 0)));
  });

  it('does nothing in a page without rows', () => {
    expect([rows.hasRows(), rows.moveRow(1)]).toEqual([false, false]);
  });

  it('is left to a virtual list while there is one', () => {
    const moves: number[] = [];
    const remove = rows.replaceRowMoves((by) => moves.push(by));
    const removeLater = rows.replaceRowMoves((by) => moves.push(10 * by));
    remove();
    expect([rows.moveRow(-1), rows.hasRows(), moves]).toEqual([true, true, [-10]]);
    removeLater();
    expect(rows.hasRows()).toBe(false);
  });
});

describe('isTyping', () => {
  const input = (type: string): HtmlInputElement => Object.assign(new HtmlInputElement(), { type });

  it.each<[string, boolean, object | null]>([
    ['a text field', true, input('search')],
    ['a checkbox', false, input('checkbox')],
    ['a range', false, input('range')],
    ['a text area', true, Object.assign(new HtmlElement(), { tagName: 'TEXTAREA' })],
    ['a select', true, Object.assign(new HtmlElement(), { tagName: 'SELECT' })],
    ['an editor', true, Object.assign(new HtmlElement(), { isContentEditable: true })],
    ['a button', false, Object.assign(new HtmlElement(), { tagName: 'BUTTON' })],
    ['no element', false, null],
  ])('for %s is %s', (_, isTyping, target) => {
    expect(keys.isTyping(target)).toBe(isTyping);
  });
});

describe('the shortcut of a button', () => {
  const click = vi.fn();
  beforeEach(() => {
    click.mockClear();
    found = [{ getAttribute: () => 'n', textContent: ' New agent ', click }];
  });

  it('presses it', () => {
    expect([shortcuts.pressShortcut('x'), click.mock.calls.length]).toEqual([false, 0]);
    expect([shortcuts.pressShortcut('n'), click.mock.calls.length]).toEqual([true, 1]);
  });

  it('is shown with its text', () => {
    expect(shortcuts.shownShortcuts()).toEqual([{ key: 'n', meaning: 'New agent' }]);
  });
});
