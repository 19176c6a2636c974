const sampleRateHz = 8_000;

/** Returns a reproducible generator of numbers from 0 to 1. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Formants of five vowels, in Hz. */
const vowels = [
  [730, 1_090, 2_440],
  [270, 2_290, 3_010],
  [300, 870, 2_240],
  [530, 1_840, 2_480],
  [570, 840, 2_410],
] as const;

/** A two-pole resonator, as formant synthesizers use. */
function resonator(frequencyHz: number, bandwidthHz: number): (sample: number) => number {
  const radius = Math.exp((-Math.PI * bandwidthHz) / sampleRateHz);
  const feedback = 2 * radius * Math.cos((2 * Math.PI * frequencyHz) / sampleRateHz);
  let last = 0;
  let beforeLast = 0;
  return (sample) => {
    const next = sample * (1 - radius) + feedback * last - radius * radius * beforeLast;
    beforeLast = last;
    last = next;
    return next;
  };
}

/** Syllables of hiss and vowel with a moving pitch, which the detector classifies as speech. */
function babble(seconds: number, random: () => number): Float64Array {
  const samples = new Float64Array(seconds * sampleRateHz);
  const syllable = sampleRateHz * 0.22;
  let phase = 0;
  for (let start = 0; start < samples.length; start += syllable) {
    const vowel = vowels[Math.floor(random() * vowels.length)] ?? vowels[0];
    const filters = vowel.map((frequencyHz, index) => resonator(frequencyHz, 60 + 40 * index));
    const pitchHz = 95 + 70 * random();
    for (let i = 0; i < syllable && start + i < samples.length; i++) {
      const part = i / syllable;
      phase += (pitchHz * (1.1 - 0.2 * part)) / sampleRateHz;
      const pulse = phase >= 1 ? 60 : 0;
      phase %= 1;
      const source = part < 0.2 ? (random() - 0.5) * 4 : pulse + (random() - 0.5);
      const voiced = filters.reduce((sum, filter) => sum + filter(source), 0);
      samples[start + i] = voiced * Math.sin(Math.PI * part) * 1_500;
    }
  }
  return samples;
}

const noise = (seconds: number, amplitude: number, random: () => number): Float64Array =>
  Float64Array.from({ length: seconds * sampleRateHz }, () => (random() - 0.5) * 2 * amplitude);

const tones = (seconds: number, ...frequenciesHz: number[]): Float64Array =>
  Float64Array.from({ length: seconds * sampleRateHz }, (_, i) =>
    frequenciesHz.reduce((sum, hz) => sum + 4_000 * Math.sin((2 * Math.PI * hz * i) / sampleRateHz), 0),
  );

function plus(left: Float64Array, right: Float64Array): Float64Array {
  return left.map((sample, i) => sample + (right[i] ?? 0));
}

/** Twelve seconds at 8 kHz, reproducible: silence, speech-like sound clean, loud and noisy, noise alone, DTMF. */
export function vadTestSignal(): Int16Array {
  const random = seededRandom(20);
  const parts = [
    new Float64Array(sampleRateHz),
    babble(3, random),
    noise(1, 300, random),
    plus(babble(3, random), noise(3, 800, random)),
    tones(1, 770, 1_336),
    babble(1, random).map((sample) => sample * 8),
    new Float64Array(sampleRateHz * 2),
  ];
  const all = parts.flatMap((part) => [...part]);
  return Int16Array.from(all, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample))));
}
