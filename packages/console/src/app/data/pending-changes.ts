/** A change that is shown before the service has accepted it. Must return a new value. */
export type Change<T> = (value: T) => T;

/** A loaded value, and the changes of the visitor that are on their way to the service. */
export interface Changing<T> {
  /** As the service has it, as far as is known; null before it is loaded. */
  readonly known: T | null;
  readonly pending: readonly Change<T>[];
}

/** Returns the value with the changes that are under way. */
export function shownValue<T>({ known, pending }: Changing<T>): T | null {
  return known === null ? null : pending.reduce<T>((value, change) => change(value), known);
}

export function withPending<T>(state: Changing<T>, change: Change<T>): Changing<T> {
  return { ...state, pending: [...state.pending, change] };
}

/** Takes back a change that was refused; those that were made since stay. */
export function withoutPending<T>(state: Changing<T>, change: Change<T>): Changing<T> {
  return { ...state, pending: state.pending.filter((each) => each !== change) };
}

/** Makes a change that was accepted a part of what is known, whatever other ones are under way. */
export function settled<T>(state: Changing<T>, change: Change<T>): Changing<T> {
  const { known, pending } = withoutPending(state, change);
  return { known: known === null ? null : change(known), pending };
}
