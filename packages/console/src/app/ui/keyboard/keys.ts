import { signal } from '@preact/signals';

/** True while the list of keyboard shortcuts is shown. */
export const isHelpOpen = signal(false);

/** Moves to the next row of a list, or to the one before. */
export type MoveRow = (by: 1 | -1) => void;

let ownMoves: MoveRow | null = null;

/** Has a list move by itself. Returns a function that gives the keys back. */
export function replaceRowMoves(move: MoveRow): () => void {
  ownMoves = move;
  return () => {
    if (ownMoves === move) ownMoves = null;
  };
}

const focusable = 'a[href], button:not(:disabled)';

/**
 * Handles the keys that work on every page: `j` and `k` go through the rows of a table, `/` goes to the search, `?`
 * shows the shortcuts. Returns a function that stops it.
 */
export function watchKeys(): () => void {
  const listener = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    // A dialog has the keyboard to itself.
    if (document.querySelector('dialog[open]') !== null) return;
    if (handle(event.key)) event.preventDefault();
  };
  document.addEventListener('keydown', listener);
  return () => document.removeEventListener('keydown', listener);
}

function handle(key: string): boolean {
  switch (key) {
    case 'j':
      return moveRow(1);
    case 'k':
      return moveRow(-1);
    case '/':
      return focusOn(document.querySelector('#content input[type="search"]'));
    case '?':
      isHelpOpen.value = true;
      return true;
    default:
      return false;
  }
}

/** Moves the focus by rows, from the one that has it, or to the first or last one; a list may do so by itself. */
function moveRow(by: 1 | -1): boolean {
  if (ownMoves !== null) {
    ownMoves(by);
    return true;
  }
  const rows = [...document.querySelectorAll('#content tbody tr')].filter((row) => row.querySelector(focusable));
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = at < 0 ? rows.at(by === 1 ? 0 : -1) : rows[at + by];
  return focusOn(next?.querySelector(focusable) ?? null);
}

function focusOn(element: Element | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  element.scrollIntoView({ block: 'nearest' });
  return true;
}

/** True if what is typed goes into a field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
