import type { Clock, Timer } from './clock.ts';

/** The clock of the machine. The only place that reads it. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  setTimer(delayMs: number, run: () => void): Timer {
    const handle = setTimeout(run, delayMs);
    return { cancel: () => clearTimeout(handle) };
  },
  afterInput(run: () => void): void {
    setImmediate(run);
  },
};
