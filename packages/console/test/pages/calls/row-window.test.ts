// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { headPx, rowPx, scrollTopFor, windowOf } from '../../../src/app/pages/calls/row-window.ts';

describe('the window of rows', () => {
  it('has the rows in view and a few more, between spaces for the others', () => {
    const { first, end, abovePx, belowPx } = windowOf({ total: 1_000, scrollTop: 400 * rowPx, viewPx: 10 * rowPx });
    expect([first, end]).toEqual([392, 418]);
    expect(abovePx).toBe(392 * rowPx);
    expect(belowPx).toBe((1_000 - 418) * rowPx);
  });

  it('reaches the first and the last of ten million rows, within the height that browsers lay out', () => {
    const of = { total: 10_000_000, viewPx: 600 };
    const { first, abovePx, belowPx, end } = windowOf({ ...of, scrollTop: 0 });
    expect([first, abovePx]).toEqual([0, 0]);
    const contentPx = headPx + abovePx + (end - first) * rowPx + belowPx;
    expect(contentPx).toBeLessThan(10_000_000);
    const last = windowOf({ ...of, scrollTop: contentPx - of.viewPx });
    expect([last.end, last.belowPx]).toEqual([10_000_000, 0]);
  });

  it.each([100, 10_000_000])('brings each of %i rows into view', (total) => {
    for (const row of [0, 1, 50, 98, 99, total - 1]) {
      const scrollTop = scrollTopFor(row, { total, scrollTop: 0, viewPx: 600 });
      const { first, end } = windowOf({ total, scrollTop, viewPx: 600 });
      expect(row).toBeGreaterThanOrEqual(first);
      expect(row).toBeLessThan(end);
    }
    const inView = scrollTopFor(6, { total, scrollTop: 2, viewPx: 600 });
    expect(inView).toBe(2);
  });
});
