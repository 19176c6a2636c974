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

/** Opens a row; every other row takes the focus itself. */
const opener = 'a[href], button.link, button.seek, summary';
const rowSelector = '#content tbody tr, #content .rows > li';

/** Moves the focus by rows, from the one that has it, or to the first or last one; a list may do so by itself. */
export function moveRow(by: 1 | -1): boolean {
  if (ownMoves !== null) {
    ownMoves(by);
    return true;
  }
  const targets = rows();
  const at = targets.findIndex(({ row }) => row.contains(document.activeElement));
  const next = at < 0 ? targets.at(by === 1 ? 0 : -1) : targets[at + by];
  return focusOn(next?.target ?? null);
}

/** True if `j` and `k` have rows to go through. */
export function hasRows(): boolean {
  return ownMoves !== null || rows().length > 0;
}

/** Presses the first button of the row that has the focus, unless it removes something. */
export function openFocusedRow(): boolean {
  const row = document.activeElement;
  if (row === null || !row.matches(rowSelector)) return false;
  const button = row.querySelector<HTMLButtonElement>('button:not(:disabled, .danger)');
  button?.click();
  return button !== null;
}

export function focusOn(element: Element | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  element.scrollIntoView({ block: 'nearest' });
  return true;
}

/** Rows that can be opened, and those that can take the focus. */
function rows(): { readonly row: Element; readonly target: Element }[] {
  return [...document.querySelectorAll(rowSelector)].flatMap((row) => {
    const target = row.querySelector(opener) ?? (row.hasAttribute('tabindex') ? row : null);
    return target === null ? [] : [{ row, target }];
  });
}
