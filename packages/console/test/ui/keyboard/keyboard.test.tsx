// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/dom';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isHelpOpen, isTyping, searchField, watchKeys } from '../../../src/app/ui/keyboard/keys.ts';
import { hasRows, moveRow, replaceRowMoves } from '../../../src/app/ui/keyboard/rows.ts';
import { pressShortcut, shownShortcuts } from '../../../src/app/ui/keyboard/shortcuts.ts';
import { useRowMoves } from '../../../src/app/ui/keyboard/use-row-moves.ts';
import { show, showPage } from '../../support/show.tsx';

const focused = (): string | null | undefined => document.activeElement?.textContent;

/** Shows a table with a link in each row. */
function showRows(...names: readonly string[]): void {
  showPage(
    <table>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <td>
              <a href={`#/${name}`}>{name}</a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>,
  );
}

describe('moving through the rows of a list', () => {
  it.each([
    ['forward from no row', null, 1, 'a'],
    ['back from no row', null, -1, 'c'],
    ['forward', 'a', 1, 'b'],
    ['back', 'c', -1, 'b'],
    ['back from the first row', 'a', -1, null],
    ['forward from the last row', 'c', 1, null],
  ] as const)('%s focuses the link of the next row, if there is one', (_, from, by, to) => {
    showRows('a', 'b', 'c');
    if (from !== null) screen.getByRole('link', { name: from }).focus();
    expect(moveRow(by)).toBe(to !== null);
    if (to !== null) expect(focused()).toBe(to);
  });

  it('does nothing in a page without rows', () => {
    showPage(<p>Nothing</p>);
    expect([hasRows(), moveRow(1)]).toEqual([false, false]);
  });

  it('focuses rows that have no link, and skips those that cannot have the focus', () => {
    showPage(
      <ul class="rows">
        <li>not focusable</li>
        <li tabIndex={-1}>row</li>
        <li>
          <button type="button" class="seek">
            0:04
          </button>
        </li>
      </ul>,
    );
    expect([moveRow(1), focused()]).toEqual([true, 'row']);
    expect([moveRow(1), focused()]).toEqual([true, '0:04']);
    expect(moveRow(1)).toBe(false);
  });

  it('is left to a virtual list while there is one', () => {
    showPage(null);
    const moves: number[] = [];
    const remove = replaceRowMoves((by) => moves.push(by));
    const removeLater = replaceRowMoves((by) => moves.push(10 * by));
    remove();
    expect([moveRow(-1), hasRows(), moves]).toEqual([true, true, [-10]]);
    removeLater();
    expect(hasRows()).toBe(false);
  });

  it('uses the last function of a virtual list', () => {
    const moves: string[] = [];
    const List = ({ name }: { readonly name: string }): null => {
      useRowMoves((by) => moves.push(`${name} ${by}`));
      return null;
    };
    const { rerender, unmount } = show(<List name="first" />);
    rerender(<List name="second" />);
    moveRow(1);
    expect(moves).toEqual(['second 1']);
    unmount();
    expect(hasRows()).toBe(false);
  });
});

describe('isTyping', () => {
  it.each([
    ['a text field', true, <input type="search" />],
    ['a checkbox', false, <input type="checkbox" />],
    ['a range', false, <input type="range" />],
    ['a text area', true, <textarea />],
    ['a select', true, <select />],
    ['a button', false, <button type="button">x</button>],
    ['no element', false, null],
  ])('for %s is %s', (_, isExpected, content) => {
    const { element } = show(content);
    expect(isTyping(element.firstElementChild)).toBe(isExpected);
  });

  it('for an editor is true', () => {
    const { element } = show(<div />);
    const editor = element.firstElementChild as HTMLElement;
    Object.defineProperty(editor, 'isContentEditable', { value: true });
    expect(isTyping(editor)).toBe(true);
  });
});

describe('the shortcut of a button', () => {
  const click = vi.fn();
  beforeEach(() => {
    click.mockClear();
    showPage(
      <>
        <button type="button" aria-keyshortcuts="n" onClick={click}>
          {' New agent '}
        </button>
        <button type="button" aria-keyshortcuts="e" disabled onClick={click}>
          Export
        </button>
      </>,
    );
  });

  it('presses it unless it is disabled', () => {
    expect([pressShortcut('x'), pressShortcut('e'), click.mock.calls.length]).toEqual([false, false, 0]);
    expect([pressShortcut('n'), click.mock.calls.length]).toEqual([true, 1]);
  });

  it('is shown with its text', () => {
    expect(shownShortcuts()).toEqual([{ key: 'n', meaning: 'New agent' }]);
  });
});

describe('the keys of a page', () => {
  /** Presses a key, and returns true if the page handled it. */
  const key = (name: string, init: KeyboardEventInit = {}, target: Element = document.activeElement ?? document.body) =>
    !fireEvent.keyDown(target, { key: name, ...init });

  beforeEach(() => {
    onTestFinished(watchKeys());
    onTestFinished(() => {
      isHelpOpen.value = false;
    });
  });

  it('move through the rows', () => {
    showRows('a', 'b');
    expect([key('j'), focused()]).toEqual([true, 'a']);
    expect([key('j'), focused()]).toEqual([true, 'b']);
    expect([key('k'), focused()]).toEqual([true, 'a']);
    expect(key('k')).toBe(false);
  });

  it('focus the search', () => {
    showPage(<input type="search" aria-label="Search" />);
    expect(key('/')).toBe(true);
    expect(document.activeElement).toBe(searchField());
    // Typed into the field from now on.
    expect(key('/')).toBe(false);
  });

  it('open the help', () => {
    showPage(null);
    expect([key('?'), isHelpOpen.value]).toEqual([true, true]);
  });

  it('open the focused row by its first button that does no harm', () => {
    const opened: string[] = [];
    const button = (name: string, kind = '', isDisabled = false) => (
      <button type="button" class={kind} disabled={isDisabled} onClick={() => opened.push(name)}>
        {name}
      </button>
    );
    showPage(
      <ul class="rows">
        <li tabIndex={-1}>
          {button('Delete', 'danger')} {button('Disabled', '', true)} {button('Edit')}
        </li>
      </ul>,
    );
    expect(key('Enter')).toBe(false);
    moveRow(1);
    expect([key('Enter'), opened]).toEqual([true, ['Edit']]);
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }])('are left to the browser with %j', (modifier) => {
    showRows('a');
    expect(key('j', modifier)).toBe(false);
  });

  it('are left to fields and dialogs', () => {
    showPage(
      <>
        <input aria-label="Name" />
        <a href="#/a">a</a>
      </>,
    );
    expect(key('?', {}, screen.getByRole('textbox'))).toBe(false);
    show(<dialog open>Question</dialog>);
    expect([key('?'), isHelpOpen.value]).toEqual([false, false]);
  });
});
