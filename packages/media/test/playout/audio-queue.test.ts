import { describe, expect, it } from 'vitest';
import { AudioQueue } from '../../src/playout/audio-queue.ts';

/** Returns consecutive byte values without equal neighbours. */
function counted(from: number, length: number): number[] {
  return Array.from({ length }, (_, i) => (from + i) % 251);
}

function taken(queue: AudioQueue, count: number): number[] {
  const into = new Uint8Array(count);
  queue.take(into, count);
  return [...into];
}

describe('AudioQueue', () => {
  it('returns the bytes in order for any sizes of push and take', () => {
    const queue = new AudioQueue();
    const lengths = [1, 159, 160, 161, 1_600, 4_001, 7, 320];
    const total = lengths.reduce((sum, each) => sum + each, 0);
    let put = 0;
    for (const length of lengths) {
      queue.push(Uint8Array.from(counted(put, length)));
      put += length;
    }
    expect(queue.length).toBe(total);
    for (let at = 0; at < total; ) {
      const count = Math.min(at % 2 === 0 ? 160 : 1_777, total - at);
      expect(taken(queue, count)).toEqual(counted(at, count));
      at += count;
      expect(queue.length).toBe(total - at);
    }
  });

  it('copies its input, and does not touch the rest of the output buffer', () => {
    const queue = new AudioQueue();
    const own = new Uint8Array([1, 2, 3]);
    queue.push(own);
    own.fill(9);
    const into = new Uint8Array(5).fill(7);
    queue.take(into, 5);
    expect([...into]).toEqual([1, 2, 3, 7, 7]);
    expect(queue.length).toBe(0);
  });

  it('does not mix data with other queues that share its blocks', () => {
    const [one, two] = [new AudioQueue(), new AudioQueue()];
    one.push(new Uint8Array(5_000).fill(1));
    one.clear();
    expect(one.length).toBe(0);
    two.push(new Uint8Array(2_000).fill(2));
    one.push(new Uint8Array(2_000).fill(3));
    two.push(new Uint8Array(2_000).fill(4));
    expect(new Set(taken(one, 2_000))).toEqual(new Set([3]));
    expect(taken(two, 4_000)).toEqual([...Array(2_000).fill(2), ...Array(2_000).fill(4)]);
    one.push(new Uint8Array(10).fill(5));
    expect(taken(one, 10)).toEqual(Array(10).fill(5));
  });
});
