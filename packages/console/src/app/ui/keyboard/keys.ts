import { signal } from '@preact/signals';
import { focusOn, moveRow, openFocusedRow } from './rows.ts';
import { pressShortcut } from './shortcuts.ts';

/** True while the help dialog is open. */
export const isHelpOpen = signal(false);

/**
 * Handles the keys of every page: `j` and `k` move through the rows of a list, `/` focuses the search, `?` opens the
 * help. Other keys press the buttons that declare them. Returns a function that removes the listener.
 */
export function watchKeys(): () => void {
  const listener = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    // An open dialog receives all keys.
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
      return focusOn(searchField());
    case 'Enter':
      return openFocusedRow();
    case '?':
      isHelpOpen.value = true;
      return true;
    default:
      return pressShortcut(key);
  }
}

/** Returns the search field of the page, or null. */
export function searchField(): Element | null {
  return document.querySelector('#content input[type="search"]');
}

const withoutText = ['checkbox', 'radio', 'range', 'button', 'submit', 'file'];

/** Returns true if the event goes to an editable element. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !withoutText.includes(target.type);
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName);
}
