import type { Clock } from '@va/core/adapter';

/** A clock whose one timer runs when the test says so, however late. */
export function lateClock(): { clock: Clock; wakeAt: (nowMs: number) => void; passTo: (nowMs: number) => void } {
  let nowMs = 0;
  let pending: (() => void) | null = null;
  return {
    clock: {
      nowMs: () => nowMs,
      wallMs: () => nowMs,
      setTimer: (_delayMs, run) => {
        pending = run;
        return { cancel() {} };
      },
    },
    passTo(at) {
      nowMs = at;
    },
    wakeAt(at) {
      nowMs = at;
      const run = pending;
      pending = null;
      run?.();
    },
  };
}
