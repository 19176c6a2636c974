import { useState } from 'preact/hooks';

/** An action of the visitor whose failure is shown where it was started. `attempt` reports a failure in a notice. */
export interface Action {
  readonly isBusy: boolean;
  /** What the last run has thrown; null without a failure. */
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
