import { randomBytes } from 'node:crypto';

/** Source of random bytes. Injected, so that tests are repeatable. */
export type RandomBytes = (count: number) => Uint8Array;

/** A system call costs the same for many bytes as for a few, so small requests are served from a pool. */
const poolBytes = 4_096;
const maxPooledBytes = 64;
let pool = Buffer.alloc(0);
let poolAt = 0;

/** Random bytes of node:crypto. */
export const systemRandom: RandomBytes = (count) => {
  if (count > maxPooledBytes) return randomBytes(count);
  if (poolAt + count > pool.length) {
    pool = randomBytes(poolBytes);
    poolAt = 0;
  }
  poolAt += count;
  return Uint8Array.prototype.slice.call(pool, poolAt - count, poolAt);
};
