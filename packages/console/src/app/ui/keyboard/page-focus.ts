/** True from a navigation until the title of the new page has the focus. */
let isAwaited = false;
/** The title that had the focus last. */
let focused: HTMLElement | null = null;

/**
 * Moves the focus into the page after a navigation: to its title, which may have to be loaded, and until then to its
 * frame. Focus that is within the page already stays, such as that of a tab.
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
 * Gives a new title the focus after a navigation, and in place of a title that is gone: that of a page which has loaded
 * a record gives way to the name of the record.
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
