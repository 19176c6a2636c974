/** Returns pseudo-random bytes, the same for the same seed, so that a failure can be reproduced. */
export function noise(length: number, seed: number): Buffer {
  let state = seed;
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}
