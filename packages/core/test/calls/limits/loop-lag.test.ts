import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { type DelayHistogram, LoopLag } from '../../../src/calls/limits/loop-lag.ts';

/** A histogram whose 95th percentile is set by the test. */
class ScriptedHistogram implements DelayHistogram {
  count = 0;
  delayMs = 0;
  isEnabled = false;

  percentile(percentile: number): number {
    expect(percentile).toBe(95);
    // Node's values include the sampling interval of 20 ms.
    return (this.delayMs + 20) * 1e6;
  }

  reset(): void {
    this.count = 0;
  }

  enable(): void {
    this.isEnabled = true;
  }

  disable(): void {
    this.isEnabled = false;
  }
}

async function window(histogram: ScriptedHistogram, clock: VirtualClock, delayMs: number, count = 150): Promise<void> {
  histogram.delayMs = delayMs;
  histogram.count += count;
  await clock.advance(3_000);
}

describe('LoopLag', () => {
  it('returns the lower value of the last two windows, so that a single burst does not count', async () => {
    const [histogram, clock] = [new ScriptedHistogram(), new VirtualClock()];
    const lag = new LoopLag(clock, histogram);
    lag.start();
    await window(histogram, clock, 600);
    expect(lag.p95Ms).toBe(0);
    await window(histogram, clock, 700);
    expect(lag.p95Ms).toBe(600);
    await window(histogram, clock, 5);
    expect(lag.p95Ms).toBe(5);
    lag.stop();
  });

  it('returns the same value on repeated reads', async () => {
    const [histogram, clock] = [new ScriptedHistogram(), new VirtualClock()];
    const lag = new LoopLag(clock, histogram);
    lag.start();
    await window(histogram, clock, 600);
    await window(histogram, clock, 600);
    expect([lag.p95Ms, lag.p95Ms, lag.p95Ms]).toEqual([600, 600, 600]);
    lag.stop();
  });

  it('ignores windows with too few samples', async () => {
    const [histogram, clock] = [new ScriptedHistogram(), new VirtualClock()];
    const lag = new LoopLag(clock, histogram);
    lag.start();
    await window(histogram, clock, 600, 40);
    await window(histogram, clock, 600, 40);
    await window(histogram, clock, 600, 5);
    expect(lag.p95Ms).toBe(0);
    await window(histogram, clock, 600);
    expect(lag.p95Ms).toBe(600);
    lag.stop();
  });

  it('stops measuring on stop()', () => {
    const [histogram, clock] = [new ScriptedHistogram(), new VirtualClock()];
    const lag = new LoopLag(clock, histogram);
    lag.start();
    expect(histogram.isEnabled).toBe(true);
    lag.stop();
    expect(histogram.isEnabled).toBe(false);
    expect(clock.pending).toBe(0);
  });
});
