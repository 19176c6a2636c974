import { signal } from '@preact/signals';
import { focusOn, moveRow, openFocusedRow } from './rows.ts';
import { pressShortcut } from './shortcuts.ts';

/** True while the help is shown. */
export const isHelpOpen = signal(false);

/**
 * Handles the keys of every page: `j` and `k` go through the rows of a list, `/` goes to the search, `?` shows the
 * help. Other keys are those that the buttons of the page declare. Returns a function that stops it.
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

/** The search of the page; null if it has none. */
export function searchField(): Element | null {
  return document.querySelector('#content input[type="search"]');
}

const withoutText = ['checkbox', 'radio', 'range', 'button', 'submit', 'file'];

/** True if what is typed goes into a field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !withoutText.includes(target.type);
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName);
}
