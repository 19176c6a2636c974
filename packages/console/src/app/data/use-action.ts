import { useState } from 'preact/hooks';

/** An action whose error is shown beside its control. Use `attempt` to show errors as notices. */
export interface Action {
  readonly isBusy: boolean;
  /** The error of the last run, or null. */
  readonly error: unknown;
  /** Runs the action. Does not reject: a failure becomes `error`, and is passed to `onError`. */
  run(action: () => Promise<unknown>, onError?: (thrown: unknown) => void): Promise<void>;
  clearError(): void;
}

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  return {
    isBusy,
    error,
    async run(action, onError) {
      setBusy(true);
      setError(null);
      try {
        await action();
      } catch (thrown) {
        setError(thrown);
        onError?.(thrown);
      } finally {
        setBusy(false);
      }
    },
    clearError: () => setError(null),
  };
}
