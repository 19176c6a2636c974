import type { Clock } from '@va/core/adapter';

/** The machine's monotonic clock, comparable across processes. */
export const hrClock: Clock = {
  nowMs: () => Number(process.hrtime.bigint()) / 1e6,
  wallMs: () => Date.now(),
  setTimer(delayMs, run) {
    const handle = setTimeout(run, delayMs);
    return { cancel: () => clearTimeout(handle) };
  },
  afterInput(run) {
    setImmediate(run);
  },
};
