/** Returns numbers from 0 to 1, the same ones for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    // xorshift32, see Marsaglia: Xorshift RNGs, Journal of Statistical Software 8 (2003).
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

/** Picks an entry by its weight. */
export function pick<T>(random: () => number, weighted: readonly (readonly [T, number])[]): T {
  const sum = weighted.reduce((total, [, weight]) => total + weight, 0);
  let at = random() * sum;
  for (const [entry, weight] of weighted) {
    at -= weight;
    if (at < 0) return entry;
  }
  throw new Error('there is nothing to pick from');
}

/** Returns a UUID of version 7 for an instant. */
export function uuidAt(atMs: number, random: () => number): string {
  const time = Math.floor(atMs).toString(16).padStart(12, '0');
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits(3)}-8${digits(3)}-${digits(12)}`;
}
