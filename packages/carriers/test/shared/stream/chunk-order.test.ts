import { describe, expect, it } from 'vitest';
import { ChunkOrder } from '../../../src/shared/stream/chunk-order.ts';

function take(...numbers: number[]): number[] {
  const passed: number[] = [];
  const order = new ChunkOrder<number>((chunk) => passed.push(chunk));
  for (const number of numbers) order.take(number, number);
  return passed;
}

describe('the order of chunks', () => {
  it('passes chunks in order on at once', () => {
    expect(take(5, 6, 7)).toEqual([5, 6, 7]);
  });

  it('waits for a chunk that was overtaken', () => {
    expect(take(1, 3, 4)).toEqual([1]);
    expect(take(1, 3, 4, 2, 5)).toEqual([1, 2, 3, 4, 5]);
  });

  it('drops chunks that come twice or too late', () => {
    expect(take(1, 2, 2, 1, 3)).toEqual([1, 2, 3]);
  });

  it('gives a missing chunk up after five later ones', () => {
    expect(take(1, 3, 4, 5, 6, 7)).toEqual([1]);
    expect(take(1, 3, 4, 5, 6, 7, 8, 9, 2)).toEqual([1, 3, 4, 5, 6, 7, 8, 9]);
  });
});
