import { systemClock, uuidv7 } from '@va/core/adapter';

export function newId(): string {
  return uuidv7(systemClock);
}

/** The n-th millisecond of an arbitrary day. */
export function instant(n: number): string {
  return new Date(Date.UTC(2026, 4, 1, 12) + n).toISOString();
}
