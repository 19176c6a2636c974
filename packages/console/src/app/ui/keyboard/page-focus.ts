/** True from a navigation until the title of the new page has the focus. */
let isAwaited = false;
/** The title that was focused last. */
let focused: HTMLElement | null = null;

/**
 * Moves the focus to the title of the new page after a navigation, and to its frame until the title is loaded. Focus
 * within the page, such as on a tab, stays.
 */
export function focusPage(): void {
  const content = document.getElementById('content');
  if (content === null || (content !== document.activeElement && content.contains(document.activeElement))) return;
  isAwaited = true;
  const title = content.querySelector('h1');
  if (title === null) content.focus({ preventScroll: true });
  else focusTitle(title);
}

/**
 * Focuses a new title after a navigation, and when it replaces a focused title: a loading page replaces its title by
 * the name of its record.
 */
export function focusTitle(title: HTMLElement): void {
  const { activeElement } = document;
  const isLost = focused !== null && !focused.isConnected && activeElement === document.body;
  const isFree = activeElement === document.body || activeElement?.closest('#content *') == null;
  if (!isLost && !(isAwaited && isFree)) return;
  isAwaited = false;
  focused = title;
  title.focus({ preventScroll: true });
}
