import { useEffect, useState } from 'preact/hooks';

export interface Resource<T> {
  /** The last value; null before the first. */
  readonly value: T | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * Loads a value, again whenever `key` changes. The value before stays until the next one is there.
 * @param load rejects when its signal aborts
 */
export function useResource<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const [state, setState] = useState<Omit<Resource<T>, 'reload'>>({ value: null, error: null, isLoading: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setState(({ value }) => ({ value, error: null, isLoading: true }));
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setState({ value, error: null, isLoading: false });
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setState(({ value }) => ({ value, error, isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [key, round]);
  return { ...state, reload: () => setRound((before) => before + 1) };
}
