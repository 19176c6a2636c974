/** A keyboard shortcut of a page. */
export interface Shortcut {
  readonly key: string;
  readonly meaning: string;
}

const attribute = 'aria-keyshortcuts';

/** Clicks the button whose `aria-keyshortcuts` is the key. Returns false if there is none. */
export function pressShortcut(key: string): boolean {
  const button = shortcutButtons().find((each) => each.getAttribute(attribute) === key);
  button?.click();
  return button !== undefined;
}

/** Returns the shortcuts of the visible buttons. */
export function shownShortcuts(): readonly Shortcut[] {
  return shortcutButtons().map((each) => ({
    key: each.getAttribute(attribute) ?? '',
    meaning: each.textContent?.trim() ?? '',
  }));
}

function shortcutButtons(): readonly HTMLButtonElement[] {
  return [...document.querySelectorAll<HTMLButtonElement>(`#content button[${attribute}]:not(:disabled)`)];
}
