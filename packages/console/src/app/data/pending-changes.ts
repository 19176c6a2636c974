/** An optimistic change, shown before the service accepts it. Must return a new value. */
export type Change<T> = (value: T) => T;

/** A loaded value with the optimistic changes that are in flight. */
export interface Changing<T> {
  /** Last known state of the service; null before it is loaded. */
  readonly known: T | null;
  readonly pending: readonly Change<T>[];
}

/** Returns the value with all pending changes applied. */
export function shownValue<T>({ known, pending }: Changing<T>): T | null {
  return known === null ? null : pending.reduce<T>((value, change) => change(value), known);
}

export function withPending<T>(state: Changing<T>, change: Change<T>): Changing<T> {
  return { ...state, pending: [...state.pending, change] };
}

/** Reverts a refused change and keeps the later ones. */
export function withoutPending<T>(state: Changing<T>, change: Change<T>): Changing<T> {
  return { ...state, pending: state.pending.filter((each) => each !== change) };
}

/** Applies an accepted change to the known state and keeps the other pending ones. */
export function settled<T>(state: Changing<T>, change: Change<T>): Changing<T> {
  const { known, pending } = withoutPending(state, change);
  return { known: known === null ? null : change(known), pending };
}
