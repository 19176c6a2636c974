import { type Clock, type RandomBytes, systemRandom, uuidv7 } from '@va/core/adapter';

const usable = /^[\w.:-]{1,128}$/;
const pooledRandom = pooled(systemRandom, 4_096);

/** Returns the client's request id if it is safe to log, else a new one. */
export function requestIdOf(given: string | null, clock: Clock): string {
  return given !== null && usable.test(given) ? given : uuidv7(clock, pooledRandom);
}

/**
 * Returns a source that draws random bytes in bulk: a system call for each request would be a tenth of the cost of the
 * request.
 */
function pooled(random: RandomBytes, poolBytes: number): RandomBytes {
  let pool: Uint8Array = new Uint8Array();
  let used = 0;
  return (count) => {
    if (used + count > pool.byteLength) {
      pool = random(poolBytes);
      used = 0;
    }
    used += count;
    return pool.subarray(used - count, used);
  };
}
