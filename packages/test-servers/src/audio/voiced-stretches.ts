const samplesPerMs = 8;
const blockSamples = 80;

/** Part of a recording, in milliseconds. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Finds voiced stretches in a clean recording at 8 kHz: blocks of 10 ms above 2 % of the level of its loudest parts.
 * Shorter gaps than `joinedGapMs` count as voiced.
 */
export function voicedStretches(pcm: Int16Array, joinedGapMs = 200): Stretch[] {
  const levels = Array.from({ length: Math.floor(pcm.length / blockSamples) }, (_, i) =>
    levelOf(pcm.subarray(i * blockSamples, (i + 1) * blockSamples)),
  );
  const loudest = [...levels].sort((a, b) => b - a)[Math.floor(levels.length * 0.05)] ?? 0;
  const blockMs = blockSamples / samplesPerMs;
  const blocks = levels.flatMap((level, i) =>
    level > loudest * 0.02 && level > 30 ? [{ fromMs: i * blockMs, toMs: (i + 1) * blockMs }] : [],
  );
  return joined(blocks, joinedGapMs).filter(({ fromMs, toMs }) => toMs - fromMs >= 100);
}

/** Joins stretches with shorter gaps than `gapMs`. */
export function joined(stretches: readonly Stretch[], gapMs: number): Stretch[] {
  const result: Stretch[] = [];
  for (const { fromMs, toMs } of stretches) {
    const last = result.at(-1);
    if (last !== undefined && fromMs - last.toMs < gapMs) result[result.length - 1] = { fromMs: last.fromMs, toMs };
    else result.push({ fromMs, toMs });
  }
  return result;
}

/** Returns the root mean square. */
export function levelOf(pcm: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < pcm.length; i++) sum += (pcm[i] ?? 0) ** 2;
  return Math.sqrt(sum / Math.max(1, pcm.length));
}

/** Returns the root mean square of several parts together. */
export function levelOfParts(parts: readonly Int16Array[]): number {
  const samples = parts.reduce((sum, part) => sum + part.length, 0);
  const power = parts.reduce((sum, part) => sum + levelOf(part) ** 2 * part.length, 0);
  return Math.sqrt(power / samples);
}
