import { type Clock, InProcessJobs, jobLeaseMs, systemClock } from '@va/core/adapter';
import { jobQueueConformance } from '@va/testkit/jobs';
import { afterAll, describe, it } from 'vitest';

/** The system clock, moved ahead by `advance`. */
function clockAhead(): { clock: Clock; advance(ms: number): void } {
  let aheadMs = 0;
  return {
    clock: { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs },
    advance(ms) {
      aheadMs += ms;
    },
  };
}

jobQueueConformance(
  { describe, it, afterAll },
  {
    name: 'in process',
    ofStorage: false,
    async open() {
      const { clock, advance } = clockAhead();
      const endLeases = async (): Promise<void> => advance(jobLeaseMs);
      return {
        ...{ queue: new InProcessJobs(clock), storage: null, endLeases, leasePatienceMs: 1_000 },
        close: async () => {},
      };
    },
  },
);
