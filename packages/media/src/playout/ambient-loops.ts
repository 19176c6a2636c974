import { sampleRateHz } from '../codec/frame.ts';
import { createResampler } from '../codec/resampler.ts';
import type { BackgroundSound } from './background-sound.ts';

export type AmbientSound = Exclude<BackgroundSound['sound'], 'none'>;

/** Eight seconds: long enough that the repetition is not noticed, and a whole number of frames. */
const loopSamples = 8 * sampleRateHz;
/** Root mean square at full volume. Speech is rarely above −16 dBFS; line noise is far quieter than a room. */
const levels: Readonly<Record<AmbientSound, number>> = { office: 5_200, cafe: 3_600, static: 1_600 };
const fullScale = 32_767;

const loops = new Map<string, Int16Array>();

/**
 * Returns eight seconds of samples that loop without a seam, at 8 kHz or a multiple. Generated on first use, in some
 * tens of milliseconds, and identical in every process.
 */
export function ambientLoop(sound: AmbientSound, rateHz: number = sampleRateHz): Int16Array {
  const key = `${sound}/${rateHz}`;
  const known = loops.get(key);
  if (known !== undefined) return known;
  const made = rateHz === sampleRateHz ? toLevel(makers[sound](), levels[sound]) : atRate(ambientLoop(sound), rateHz);
  loops.set(key, made);
  return made;
}

/**
 * Resamples a loop: the sounds have nothing above the telephone band. The second pass begins with the state at the end
 * of the first one, so that the loop has no seam.
 */
function atRate(loop: Int16Array, rateHz: number): Int16Array {
  const resample = createResampler(sampleRateHz, rateHz);
  resample(loop);
  return resample(loop);
}

const makers: Readonly<Record<AmbientSound, () => Float64Array>> = { office, cafe, static: lineNoise };

/** Air conditioning with occasional typing. */
function office(): Float64Array {
  const random = seeded(0x0ff1ce);
  const room = filtered(noise(random), lowPass(700), lowPass(700), highPass(90));
  scale(room, 1);
  for (let typist = 0; typist < 5; typist++) {
    let at = random() * loopSamples;
    const keys = 4 + Math.floor(random() * 8);
    for (let key = 0; key < keys; key++) {
      addClick(room, Math.floor(at), 1.5 + 1.5 * random(), random);
      at += sampleRateHz * (0.09 + 0.16 * random());
    }
  }
  return room;
}

/** A keystroke: a few milliseconds of bright, decaying noise. */
function addClick(samples: Float64Array, at: number, amplitude: number, random: () => number): void {
  const length = Math.floor(sampleRateHz * 0.025);
  let last = 0;
  for (let i = 0; i < length; i++) {
    const bright = random() * 2 - 1;
    const where = (at + i) % loopSamples;
    const attack = Math.min(1, i / 8);
    samples[where] = (samples[where] as number) + amplitude * attack * Math.exp(-i / 45) * (bright - 0.6 * last);
    last = bright;
  }
}

/** Several unintelligible voices: noise in speech bands, modulated like syllables. */
function cafe(): Float64Array {
  const random = seeded(0xcafe);
  const room = filtered(noise(random), lowPass(400), lowPass(900), highPass(100));
  scale(room, 0.4);
  for (let talker = 0; talker < 7; talker++) {
    const centerHz = 250 + 1_300 * random() ** 1.5;
    const voice = filtered(noise(random), bandPass(centerHz, 100 + centerHz / 5));
    scale(voice, 1 / (1 + centerHz / 700));
    const syllables = swelling(random, 2.5 + 3 * random());
    const phrases = swelling(random, 0.25 + 0.5 * random());
    addSwelling(room, voice, (at) => 4 * syllables(at) * phrases(at));
  }
  return room;
}

/** Samples between two values of a slowly changing loudness; divides the length of the loop. */
const stepSamples = 64;

function addSwelling(room: Float64Array, voice: Float64Array, loudness: (at: number) => number): void {
  let from = loudness(0);
  for (let at = 0; at < loopSamples; at += stepSamples) {
    const to = loudness(at + stepSamples);
    for (let i = 0; i < stepSamples; i++) {
      const gain = from + ((to - from) * i) / stepSamples;
      room[at + i] = (room[at + i] as number) + (voice[at + i] as number) * gain;
    }
    from = to;
  }
}

/** Hiss of an open line. */
function lineNoise(): Float64Array {
  return filtered(noise(seeded(0x57a71c)), highPass(250), lowPass(3_000));
}

/**
 * Returns a modulation between 0 and 1 at about this frequency, rounded to whole periods per loop, so that there is no
 * seam.
 */
function swelling(random: () => number, timesPerSecond: number): (at: number) => number {
  const cycles = Math.max(1, Math.round((timesPerSecond * loopSamples) / sampleRateHz));
  const phases = [random(), random(), random()].map((part) => 2 * Math.PI * part);
  const [first = 0, second = 0, third = 0] = phases;
  return (at) => {
    const turn = (2 * Math.PI * at) / loopSamples;
    const sum =
      Math.sin(cycles * turn + first) +
      0.6 * Math.sin((cycles + 3) * turn + second) +
      0.4 * Math.sin((2 * cycles + 1) * turn + third);
    return (sum / 4 + 0.5) ** 2;
  };
}

/** Mulberry32: the same sequence in 0–1 on every machine. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function noise(random: () => number): Float64Array {
  const samples = new Float64Array(loopSamples);
  for (let i = 0; i < loopSamples; i++) samples[i] = random() - 0.5;
  return samples;
}

type SampleFilter = (sample: number) => number;

/** Longer than the memory of the filters. */
const warmUpSamples = sampleRateHz / 4;

/** Each filter processes the end of the loop first, so that its state fits a sound without a beginning. */
function filtered(samples: Float64Array, ...filters: readonly SampleFilter[]): Float64Array {
  for (const filter of filters) {
    for (let i = loopSamples - warmUpSamples; i < loopSamples; i++) filter(samples[i] as number);
    for (let i = 0; i < loopSamples; i++) samples[i] = filter(samples[i] as number);
  }
  return samples;
}

function lowPass(cutoffHz: number): SampleFilter {
  const share = 1 - Math.exp((-2 * Math.PI * cutoffHz) / sampleRateHz);
  let level = 0;
  return (sample) => {
    level += share * (sample - level);
    return level;
  };
}

function highPass(cutoffHz: number): SampleFilter {
  const low = lowPass(cutoffHz);
  return (sample) => sample - low(sample);
}

/** A two-pole resonator. */
function bandPass(centerHz: number, widthHz: number): SampleFilter {
  const radius = Math.exp((-Math.PI * widthHz) / sampleRateHz);
  const feedback = 2 * radius * Math.cos((2 * Math.PI * centerHz) / sampleRateHz);
  let last = 0;
  let beforeLast = 0;
  return (sample) => {
    const next = (1 - radius) * sample + feedback * last - radius * radius * beforeLast;
    beforeLast = last;
    last = next;
    return next;
  };
}

function rms(samples: Float64Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length);
}

function scale(samples: Float64Array, toRms: number): void {
  const factor = toRms / rms(samples);
  for (let i = 0; i < samples.length; i++) samples[i] = (samples[i] as number) * factor;
}

function toLevel(samples: Float64Array, level: number): Int16Array {
  scale(samples, level);
  const loop = new Int16Array(loopSamples);
  for (let i = 0; i < loopSamples; i++) {
    loop[i] = Math.max(-fullScale, Math.min(fullScale, Math.round(samples[i] as number)));
  }
  return loop;
}
