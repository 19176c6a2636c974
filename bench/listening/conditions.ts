import { below, levelOf, type Noise, type NoiseName, noiseNamed, voicedStretches } from '@va/test-servers/audio';

/** Noise under the caller's voice. */
export interface Condition {
  readonly name: string;
  readonly noise: { readonly name: NoiseName; readonly signalToNoiseDb: number } | null;
}

const under = (name: NoiseName, signalToNoiseDb: number): Condition => ({
  name: `${name} ${signalToNoiseDb} dB below`,
  noise: { name, signalToNoiseDb },
});

export const clean: Condition = { name: 'nothing', noise: null };

export const noisy: readonly Condition[] = [
  under('brown', 15),
  under('brown', 10),
  under('music', 15),
  under('music', 10),
  under('babble', 15),
  under('babble', 10),
];

/** Returns the noise of a condition, with its level relative to the mean level of these voices; null without noise. */
export async function underVoice(
  { noise }: Condition,
  voices: readonly Int16Array[],
): Promise<{ sound: Noise; level: number } | null> {
  if (noise === null) return null;
  const voiced = voices.flatMap((pcm) =>
    voicedStretches(pcm).map(({ fromMs, toMs }) => levelOf(pcm.subarray(fromMs * 8, toMs * 8))),
  );
  const speechLevel = voiced.reduce((sum, level) => sum + level, 0) / Math.max(1, voiced.length);
  return { sound: await noiseNamed(noise.name), level: below(speechLevel, noise.signalToNoiseDb) };
}
