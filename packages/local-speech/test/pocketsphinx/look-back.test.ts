import { describe, expect, it } from 'vitest';
import { LookBack } from '../../src/pocketsphinx/look-back.ts';

function added(lookBack: LookBack, from: number, to: number): void {
  lookBack.add(Int16Array.from({ length: to - from + 1 }, (_, i) => from + i));
}

describe('the audio before an utterance', () => {
  it('is kept up to its length, oldest first', () => {
    const lookBack = new LookBack(5);
    added(lookBack, 1, 3);
    expect([...lookBack.take()]).toEqual([1, 2, 3]);
    added(lookBack, 1, 12);
    expect([...lookBack.take()]).toEqual([8, 9, 10, 11, 12]);
  });

  it('is cleared when it is taken', () => {
    const lookBack = new LookBack(3);
    added(lookBack, 1, 7);
    lookBack.take();
    expect(lookBack.take()).toHaveLength(0);
    added(lookBack, 20, 20);
    expect([...lookBack.take()]).toEqual([20]);
  });

  it('is empty for chunks without samples', () => {
    const lookBack = new LookBack(3);
    lookBack.add(new Int16Array(0));
    expect(lookBack.take()).toHaveLength(0);
  });
});
