/** True from a navigation until the title of the new page has the focus. */
let isAwaited = false;

/**
 * Moves the focus into the page after a navigation: to its title, which may have to be loaded, and until then to its
 * frame. Focus that is within the page already stays, such as that of a tab.
 */
export function focusPage(): void {
  const content = document.getElementById('content');
  if (content === null || (content !== document.activeElement && content.contains(document.activeElement))) return;
  isAwaited = true;
  const title = content.querySelector('h1');
  if (title !== null && takesFocus()) title.focus({ preventScroll: true });
  else content.focus({ preventScroll: true });
}

/** True once after a navigation, if the visitor has not moved the focus since. */
export function takesFocus(): boolean {
  const wasAwaited = isAwaited;
  isAwaited = false;
  const { activeElement } = document;
  return wasAwaited && (activeElement === document.body || !activeElement?.closest('#content *'));
}
