import { describe, expect, it } from 'vitest';
import { forgetPause, learnPause, pendingPauseMs } from '../../../src/conversation/turns/pauses.ts';

describe('learnPause', () => {
  it('takes the first pause as it is, and moves half way to each later one', () => {
    expect(learnPause(null, 800)).toBe(800);
    expect(learnPause(800, 400)).toBe(600);
    expect(learnPause(600, 1_000)).toBe(800);
  });

  it.each([0, -20])('ignores a pause of %d ms, which is none', (pauseMs) => {
    expect(learnPause(500, pauseMs)).toBe(500);
    expect(learnPause(null, pauseMs)).toBeNull();
  });

  it('ignores pauses above 3 s, in which the caller was busy', () => {
    expect(learnPause(500, 3_000)).toBe(1_750);
    expect(learnPause(500, 3_001)).toBe(500);
    expect(learnPause(null, 60_000)).toBeNull();
  });

  it('stays between the shortest and the longest pause', () => {
    const pauses = [300, 1_200, 450, 2_900, 310];
    const learned = pauses.reduce<number | null>(learnPause, null) ?? 0;
    expect(learned).toBeGreaterThan(300);
    expect(learned).toBeLessThan(2_900);
  });
});

describe('forgetPause', () => {
  it('loses weight turn by turn, and knows nothing before the first pause', () => {
    expect(forgetPause(1_000)).toBe(800);
    expect(forgetPause(null)).toBeNull();
  });
});

describe('pendingPauseMs', () => {
  it('tolerates a pause a fifth longer than the learned one, and none before that', () => {
    expect(pendingPauseMs(1_000)).toBe(1_200);
    expect(pendingPauseMs(null)).toBe(0);
  });
});
