import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { TimerSlot } from '../../src/runtime/timer-slot.ts';

describe('a timer slot', () => {
  it('runs only the timer that was set last', async () => {
    const clock = new VirtualClock();
    const slot = new TimerSlot(clock);
    const ran: string[] = [];
    slot.set(10, () => ran.push('first'));
    slot.set(20, () => ran.push('second'));
    expect(clock.pending).toBe(1);
    await clock.advance(30);
    expect(ran).toEqual(['second']);
    slot.clear();
    slot.clear();
  });

  it('may be set again by its own timer', async () => {
    const clock = new VirtualClock();
    const slot = new TimerSlot(clock);
    const ran: number[] = [];
    const tick = (): void => {
      ran.push(clock.nowMs());
      if (ran.length < 3) slot.set(5, tick);
    };
    slot.set(5, tick);
    await clock.advance(100);
    expect(ran).toEqual([5, 10, 15]);
    expect(clock.pending).toBe(0);
  });

  it('retransmits at intervals that double up to the maximum, until it is cleared', async () => {
    const clock = new VirtualClock();
    const slot = new TimerSlot(clock);
    const sent: number[] = [];
    slot.retransmit(500, 4_000, () => {
      sent.push(clock.nowMs());
      if (sent.length === 6) slot.clear();
    });
    await clock.advance(60_000);
    expect(sent).toEqual([500, 1_500, 3_500, 7_500, 11_500, 15_500]);
    expect(clock.pending).toBe(0);
  });
});
