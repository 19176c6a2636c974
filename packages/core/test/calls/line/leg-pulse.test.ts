import { ScriptedLeg } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { LegPulse } from '../../../src/calls/line/leg-pulse.ts';
import type { MediaLeg } from '../../../src/ports/telephony.ts';
import { untyped } from '../../support/untyped.ts';

/** A leg with packet counters; null stands for counters that cannot be read. */
function countingLeg(counters: (number | null)[]): MediaLeg {
  const statistics = async (): Promise<unknown> => {
    const packets = counters.shift() ?? null;
    if (packets === null) throw new Error('the media worker has stopped');
    return { received: { packets } };
  };
  return untyped(Object.assign(new ScriptedLeg(), { statistics }));
}

/** Returns the silence at each second. */
async function silences(pulse: LegPulse, seconds: number): Promise<number[]> {
  const found: number[] = [];
  for (let second = 1; second <= seconds; second += 1) found.push(await pulse.silentMs(second * 1_000));
  return found;
}

describe('LegPulse', () => {
  it('counts the time since the last frame', async () => {
    const pulse = new LegPulse(new ScriptedLeg(), 0);
    expect(await pulse.silentMs(800)).toBe(800);
    pulse.beat(1_000);
    expect(await pulse.silentMs(1_200)).toBe(200);
  });

  it('counts no time on hold, and starts from its end', async () => {
    const leg = new ScriptedLeg();
    const pulse = new LegPulse(leg, 0);
    leg.receiving = false;
    expect(await pulse.silentMs(5_000)).toBe(0);
    leg.receiving = true;
    expect(await pulse.silentMs(5_600)).toBe(600);
  });

  it('reads the packet counters only of a forwarded leg', async () => {
    const counters = [10, 20];
    const pulse = new LegPulse(countingLeg(counters), 0);
    expect(await pulse.silentMs(1_000)).toBe(1_000);
    expect(counters).toEqual([10, 20]);
    pulse.forwarded();
    expect(await pulse.silentMs(2_000)).toBe(0);
  });

  it('counts the time since the counters of a forwarded leg have changed', async () => {
    const pulse = new LegPulse(countingLeg([10, 20, 20, 20, 30]), 0);
    pulse.forwarded();
    expect(await silences(pulse, 5)).toEqual([0, 0, 1_000, 2_000, 0]);
  });

  it('counts the time in which the counters of a forwarded leg cannot be read', async () => {
    const pulse = new LegPulse(countingLeg([10, null, null, 10, 11]), 0);
    pulse.forwarded();
    expect(await silences(pulse, 5)).toEqual([0, 1_000, 2_000, 3_000, 0]);
  });

  it('never treats a forwarded leg without counters as silent', async () => {
    const pulse = new LegPulse(new ScriptedLeg(), 0);
    pulse.forwarded();
    expect(await silences(pulse, 3)).toEqual([0, 0, 0]);
  });
});
