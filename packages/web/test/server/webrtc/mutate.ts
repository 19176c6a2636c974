/** A seeded generator, so that each run uses the same numbers. */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Returns the bytes with up to four changes: other bytes, a cut, a repetition, or a number at its limit. */
export function mutate(source: Uint8Array, below: (limit: number) => number): Buffer {
  let bytes = Buffer.from(source);
  for (let count = 1 + below(4); count > 0; count--) {
    const at = below(bytes.length + 1);
    const kind = below(4);
    if (kind === 0 && at < bytes.length) bytes[at] = below(256);
    else if (kind === 1) bytes = bytes.subarray(0, at);
    else if (kind === 2) {
      const from = below(bytes.length + 1);
      bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(from, from + below(40)), bytes.subarray(at)]);
    } else if (at + 2 <= bytes.length) bytes.writeUInt16BE([0, 1, 0x7fff, 0xffff][below(4)] ?? 0, at);
  }
  return bytes;
}
