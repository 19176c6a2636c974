import { decodeG711, encodeG711 } from '@va/media';
import { pieceOfMusic, recordedVoices } from './line-noise.ts';
import { gaussian, seeded } from './seeded.ts';
import { levelOf } from './voiced-stretches.ts';

const sampleRateHz = 8_000;
const loopSamples = 20 * sampleRateHz;

export type NoiseName = 'white' | 'brown' | 'music' | 'babble' | 'keys';

/** A noise that is repeated endlessly, at any level. */
export interface Noise {
  readonly samples: Float32Array;
  readonly level: number;
}

const noises = new Map<NoiseName, Promise<Noise>>();

/** Returns a noise. All callers share its samples, which must not be changed. */
export function noiseNamed(name: NoiseName): Promise<Noise> {
  const known = noises.get(name) ?? makeNoise(name);
  noises.set(name, known);
  return known;
}

async function makeNoise(name: NoiseName): Promise<Noise> {
  const samples = await made(name);
  return { samples, level: levelOf(samples) };
}

async function made(name: NoiseName): Promise<Float32Array> {
  switch (name) {
    case 'white':
      return white();
    case 'brown':
      return brown();
    case 'keys':
      return keyTones();
    case 'babble':
      return await babble();
    case 'music': {
      const piece = await pieceOfMusic('macroform-cold_day');
      // One minute of the piece, without its first 10 s.
      return Float32Array.from(piece.subarray(10 * sampleRateHz, 70 * sampleRateHz));
    }
  }
}

function white(): Float32Array {
  const next = gaussian(seeded(3));
  return new Float32Array(loopSamples).map(() => next());
}

/** Returns the hum of a room or a car: low-pass filtered white noise. */
function brown(): Float32Array {
  const next = gaussian(seeded(4));
  let state = 0;
  return new Float32Array(loopSamples).map(() => {
    state = 0.97 * state + next();
    return state;
  });
}

/** Returns the recorded voices mixed, equally loud. */
async function babble(): Promise<Float32Array> {
  const sum = new Float32Array(loopSamples);
  for (const voice of await recordedVoices()) {
    const gain = 1 / levelOf(voice);
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (voice[(i + 1_234) % voice.length] ?? 0) * gain;
  }
  return sum;
}

const lowHz = [697, 770, 852, 941];
const highHz = [1_209, 1_336, 1_477, 1_633];

/** Returns the DTMF tones of all 16 keys (ITU-T Q.23), each 200 ms long and followed by 300 ms of silence. */
function keyTones(): Float32Array {
  const period = sampleRateHz / 2;
  return new Float32Array(16 * period).map((_, i) => {
    const key = Math.floor(i / period);
    if (i % period >= 0.2 * sampleRateHz) return 0;
    const wave = (hz: number | undefined): number => Math.sin((2 * Math.PI * (hz ?? 0) * i) / sampleRateHz);
    return wave(lowHz[key >> 2]) + wave(highHz[key & 3]);
  });
}

/** Mixes the recording with noise at a level (root mean square on a scale of 32,768), and encodes it as μ-law. */
export function overLine(pcm: Int16Array, noise: Noise | null, noiseLevel = 0): Uint8Array {
  const gain = noise === null ? 0 : noiseLevel / noise.level;
  const under = noise?.samples ?? new Float32Array(1);
  const mixed = new Int16Array(pcm.length);
  for (let i = 0; i < mixed.length; i++) {
    mixed[i] = clipped((pcm[i] ?? 0) + gain * (under[i % under.length] ?? 0));
  }
  return encodeG711('pcmu', mixed);
}

export function clipped(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample)));
}

/** Returns the level of a noise that is `signalToNoiseDb` below the speech. */
export function below(speechLevel: number, signalToNoiseDb: number): number {
  return speechLevel / 10 ** (signalToNoiseDb / 20);
}

export function asHeard(codes: Uint8Array): Int16Array {
  return decodeG711('pcmu', codes);
}
