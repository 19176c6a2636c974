import type { UserTurn } from '../state.ts';

/** The words of the caller's turn so far. */
export function turnText(user: UserTurn): string {
  return [...user.finals, user.partial].join(' ').replace(/\s+/g, ' ').trim();
}

export function countWords(text: string): number {
  return text === '' ? 0 : text.split(' ').length;
}
