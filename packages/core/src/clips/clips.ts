import { createRequire } from 'node:module';
import { legAudio } from '@va/media';
import type wavefile from 'wavefile';
import { toError, VaError } from '../errors.ts';

const maxClips = 200;
/** Two minutes at 48 kHz, 16 bits, in stereo. */
const maxFileBytes = 24 * 1_024 * 1_024;
const maxSeconds = 600;

/** Audio clips of the host, by name: music on hold, background sound. */
export class Clips {
  readonly #clips = new Map<string, ReadonlyMap<number, Int16Array>>();

  /**
   * @param files WAV files by the name that agents use
   * @throws VaError `invalid_options` for a bad name, a file that is not WAV, or one that is empty or too long
   */
  constructor(files: Readonly<Record<string, Uint8Array>> = {}) {
    const entries = Object.entries(files);
    if (entries.length > maxClips) throw new VaError('invalid_options', `clips: at most ${maxClips} are accepted.`);
    for (const [name, file] of entries) this.#clips.set(name, readClip(name, file));
  }

  has(name: string): boolean {
    return this.#clips.has(name);
  }

  /**
   * Returns the samples at 8 or 16 kHz in shared memory, a whole number of frames; null if the host has no such clip.
   */
  find(name: string, sampleRateHz: number): Int16Array | null {
    return this.#clips.get(name)?.get(sampleRateHz) ?? null;
  }
}

/** Returns the samples by their rate. Both are made at the start: a call must not wait for it. */
function readClip(name: string, file: Uint8Array): Map<number, Int16Array> {
  const fail = (why: string, cause?: Error): VaError =>
    new VaError('invalid_options', `clips[${JSON.stringify(name)}]: ${why}`, cause === undefined ? {} : { cause });
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw fail('a name consists of at most 64 letters, digits, underscores and hyphens.');
  }
  if (file.length > maxFileBytes) throw fail(`the file is larger than ${maxFileBytes / 1_048_576} MiB.`);
  const clip = new Map<number, Int16Array>();
  for (const { sampleRateHz, frameSamples } of [legAudio.pcmu, legAudio.pcm16]) {
    let samples: Int16Array | null;
    try {
      samples = decodeWav(file, sampleRateHz);
    } catch (thrown) {
      throw fail('the file is not a WAV file that can be decoded.', toError(thrown));
    }
    if (samples === null) throw fail(`the clip is longer than ${maxSeconds} seconds.`);
    if (samples.length === 0) throw fail('the file has no audio.');
    clip.set(sampleRateHz, inWholeFrames(samples, frameSamples));
  }
  return clip;
}

/** Returns mono samples; null if there are too many. The decoder is loaded here, because most hosts have no clips. */
function decodeWav(file: Uint8Array, sampleRateHz: number): Int16Array | null {
  const { WaveFile } = createRequire(import.meta.url)('wavefile') as typeof wavefile;
  const wav = new WaveFile(file);
  // The conversions take seconds for a long file.
  if (minSecondsOf(wav) > maxSeconds) return null;
  if (wav.bitDepth !== '16') wav.toBitDepth('16');
  const { sampleRate } = wav.fmt as ClipFormat;
  if (sampleRate !== sampleRateHz) wav.toSampleRate(sampleRateHz);
  const channels = wav.getSamples(false, Int16Array) as unknown as Int16Array | readonly Int16Array[];
  const samples = channels instanceof Int16Array ? channels : mixed(channels);
  return samples.length > maxSeconds * sampleRateHz ? null : samples;
}

interface ClipFormat {
  readonly sampleRate: number;
  readonly numChannels: number;
  readonly bitsPerSample: number;
}

/** Returns the duration by the size of the file; 0 for ADPCM, whose blocks have headers. */
function minSecondsOf(wav: wavefile.WaveFile): number {
  if (wav.bitDepth === '4') return 0;
  const { sampleRate, numChannels, bitsPerSample } = wav.fmt as ClipFormat;
  const { samples } = wav.data as { readonly samples: Uint8Array };
  return (samples.length * 8) / (sampleRate * numChannels * bitsPerSample);
}

function mixed(channels: readonly Int16Array[]): Int16Array {
  const [first = new Int16Array(0)] = channels;
  return first.map((_, at) => channels.reduce((sum, channel) => sum + (channel[at] ?? 0), 0) / channels.length);
}

/** Media workers read the clip from the same memory. Silence fills the last frame. */
function inWholeFrames(samples: Int16Array, frameSamples: number): Int16Array {
  const frames = Math.ceil(samples.length / frameSamples);
  const shared = new Int16Array(new SharedArrayBuffer(frames * frameSamples * Int16Array.BYTES_PER_ELEMENT));
  shared.set(samples);
  return shared;
}
