/** A key of a page, with what it does. */
export interface Shortcut {
  readonly key: string;
  readonly meaning: string;
}

const attribute = 'aria-keyshortcuts';

/** Presses the button of the page that declares a key by `aria-keyshortcuts`. Returns false if there is none. */
export function pressShortcut(key: string): boolean {
  const button = shortcutButtons().find((each) => each.getAttribute(attribute) === key);
  button?.click();
  return button !== undefined;
}

/** Returns the keys of the buttons that are shown. */
export function shownShortcuts(): readonly Shortcut[] {
  return shortcutButtons().map((each) => ({
    key: each.getAttribute(attribute) ?? '',
    meaning: each.textContent?.trim() ?? '',
  }));
}

function shortcutButtons(): readonly HTMLButtonElement[] {
  return [...document.querySelectorAll<HTMLButtonElement>(`#content button[${attribute}]:not(:disabled)`)];
}
