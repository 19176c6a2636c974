import { useEffect, useState } from 'preact/hooks';
import { type Change, type Changing, settled, shownValue, withoutPending, withPending } from './pending-changes.ts';

/** A loaded value with its loading state. */
export interface Loaded<T> {
  /** The last loaded value; null before the first. */
  readonly value: T | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

export interface MutableResource<T> extends Loaded<T> {
  /** True while a change is in flight. */
  readonly isChanging: boolean;
  /**
   * Applies a change optimistically, sends it, and reloads the value.
   * @throws the rejection of `send`, after reverting the change
   * @example await attempt(() => keys.change((all) => all.filter(({ id }) => id !== key.id), () => revoke(key)));
   */
  readonly change: (change: Change<T>, send: () => Promise<unknown>) => Promise<void>;
}

interface ResourceState<T> extends Changing<T> {
  readonly error: unknown;
  readonly isLoading: boolean;
}

/**
 * Loads a value, and again whenever `key` changes. The previous value stays until the new one is loaded.
 * @param load rejects when its signal aborts
 */
export function useResource<T>(key: string, load: (signal: AbortSignal) => Promise<T>): MutableResource<T> {
  const [state, setState] = useState<ResourceState<T>>({ known: null, pending: [], error: null, isLoading: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => ({ ...before, error: null, isLoading: true }));
    load(controller.signal).then(
      (known) => {
        if (!controller.signal.aborted) setState((before) => ({ ...before, known, error: null, isLoading: false }));
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setState((before) => ({ ...before, error, isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [key, round]);
  const reload = (): void => setRound((before) => before + 1);
  return {
    value: shownValue(state),
    error: state.error,
    isLoading: state.isLoading,
    isChanging: state.pending.length > 0,
    reload,
    async change(change, send) {
      setState((before) => ({ ...before, ...withPending(before, change) }));
      try {
        await send();
      } catch (thrown) {
        setState((before) => ({ ...before, ...withoutPending(before, change) }));
        throw thrown;
      }
      setState((before) => ({ ...before, ...settled(before, change) }));
      reload();
    },
  };
}
