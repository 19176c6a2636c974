import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeardMeter } from '../../src/worker/heard-meter.ts';

/** A meter of the thread that plays, and one of the thread that controls it, on the same memory. */
function pair(): { player: HeardMeter; control: HeardMeter } {
  const control = new HeardMeter();
  return { control, player: new HeardMeter(control.shared) };
}

describe('the meter of played samples', () => {
  it('counts claims up to a cut, and refuses those of an earlier generation', () => {
    const { player, control } = pair();
    expect([player.claim(0, 160), player.claim(0, 100)]).toEqual([true, true]);
    expect(control.cut()).toBe(260);
    expect(player.claim(0, 160)).toBe(false);
    expect(player.claim(1, 160)).toBe(true);
    expect(control.cut()).toBe(160);
    expect(control.cut()).toBe(0);
  });

  it('refuses claims during a pause, without counting them', () => {
    const { player, control } = pair();
    player.claim(0, 160);
    control.pause();
    control.pause();
    expect(player.claim(0, 160)).toBe(false);
    control.resume();
    control.resume();
    expect(player.claim(0, 160)).toBe(true);
    expect(control.cut()).toBe(320);
  });

  it('ends a pause with a cut', () => {
    const { player, control } = pair();
    control.pause();
    control.cut();
    expect(player.claim(1, 160)).toBe(true);
  });

  it('counts modulo 2²⁴ without a change of generation', () => {
    const { player, control } = pair();
    player.claim(0, 0xff_fff0);
    expect(player.claim(0, 0x20)).toBe(true);
    expect(HeardMeter.between(0xff_fff0, control.cut())).toBe(0x20);
    expect(player.claim(0, 1)).toBe(false);
  });

  it('agrees with a plain count over hundreds of generations', () => {
    const operations = fc.array(fc.constantFrom('claim', 'claim', 'claim', 'stale', 'pause', 'resume', 'cut'), {
      maxLength: 500,
      size: 'max',
    });
    fc.assert(
      fc.property(operations, (ops) => {
        const { player, control } = pair();
        let [generation, samples, isPaused] = [0, 0, false];
        for (const op of ops) {
          if (op === 'claim') {
            expect(player.claim(generation, 160)).toBe(!isPaused);
            if (!isPaused) samples += 160;
          } else if (op === 'stale') expect(player.claim(generation + 1, 160)).toBe(false);
          else if (op === 'pause') {
            control.pause();
            isPaused = true;
          } else if (op === 'resume') {
            control.resume();
            isPaused = false;
          } else {
            expect(control.cut()).toBe(samples);
            [generation, samples, isPaused] = [generation + 1, 0, false];
          }
        }
      }),
      { numRuns: 8 },
    );
  });
});
