/** Moves the focus to the next row (1) or the previous one (-1). */
export type MoveRow = (by: 1 | -1) => void;

let ownMoves: MoveRow | null = null;

/** Lets a virtual list handle row moves itself. Returns a function that unregisters it. */
export function replaceRowMoves(move: MoveRow): () => void {
  ownMoves = move;
  return () => {
    if (ownMoves === move) ownMoves = null;
  };
}

/** Matches a link that opens a row. Rows without one take the focus themselves. */
const opener = 'a[href], button.link, button.seek, summary';
const rowSelector = '#content tbody tr, #content .rows > li';

/** Moves the focus from the current row, or to the first or last one. Delegates to a virtual list if there is one. */
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

/** Returns true if the page has rows for `j` and `k`. */
export function hasRows(): boolean {
  return ownMoves !== null || rows().length > 0;
}

/** Clicks the first button of the focused row, except those that change or delete the record at once. */
export function openFocusedRow(): boolean {
  const row = document.activeElement;
  if (row === null || !row.matches(rowSelector)) return false;
  const button = row.querySelector<HTMLButtonElement>('button:not(:disabled, .danger, [role="switch"])');
  button?.click();
  return button !== null;
}

export function focusOn(element: Element | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  element.scrollIntoView({ block: 'nearest' });
  return true;
}

/** Returns the links of the rows, and the rows that are focusable themselves. */
function rows(): { readonly row: Element; readonly target: Element }[] {
  return [...document.querySelectorAll(rowSelector)].flatMap((row) => {
    const target = row.querySelector(opener) ?? (row.hasAttribute('tabindex') ? row : null);
    return target === null ? [] : [{ row, target }];
  });
}
