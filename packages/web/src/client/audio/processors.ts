import type { WebCallEncoding } from '../../protocol/messages.ts';

/** The parts of an AudioWorklet's global scope that the processors use. */
export interface WorkletScope {
  readonly AudioWorkletProcessor: new () => { readonly port: ProcessorPort };
  registerProcessor(name: string, processor: new () => unknown): void;
  /** Sample rate of the context in Hz. */
  readonly sampleRate: number;
}

export interface ProcessorPort {
  onmessage: ((event: { data: PlayerInput | EncodingInput }) => void) | null;
  postMessage(message: RecorderOutput | PlayerOutput, transfer?: ArrayBuffer[]): void;
}

/** Message that sets the encoding of the frames, which is `pcmu` at first. */
export interface EncodingInput {
  readonly encoding: WebCallEncoding;
}

/** A frame of the microphone: 20 ms, and its level from 0 to 1. */
export interface RecorderOutput {
  readonly frame: Uint8Array;
  readonly level: number;
}

export type PlayerInput =
  | { readonly sequence: number; readonly frame: Uint8Array }
  /** Drops the frames before this one. */
  | { readonly clear: number };

/**
 * Playback position: all frames before `played` were played or dropped. `level` is that of the last frame, from 0 to 1.
 */
export interface PlayerOutput {
  readonly played: number;
  readonly level: number;
}

/**
 * Defines the processors `va-recorder` and `va-player`. Runs in the worklet, from its source text: it MUST NOT refer to
 * anything outside of itself.
 */
export function defineProcessors({ AudioWorkletProcessor, registerProcessor, sampleRate }: WorkletScope): void {
  /** Samples of the G.711 μ-law codes, from -1 to 1. */
  const codes = Float32Array.from({ length: 256 }, (_, code) => {
    const bits = ~code & 0xff;
    const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)) - 0x84;
    return ((bits & 0x80) === 0 ? magnitude : -magnitude) / 32_768;
  });
  const toCode = (sample: number): number => {
    const magnitude = Math.min(32_635, Math.round(Math.abs(sample) * 32_768)) + 0x84;
    const exponent = Math.max(0, 31 - Math.clz32(magnitude) - 7);
    return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
  };
  interface Codec {
    readonly rate: number;
    encode(samples: readonly number[]): Uint8Array<ArrayBuffer>;
    decode(frame: Uint8Array): number[];
  }

  const codecs: Record<WebCallEncoding, Codec> = {
    pcmu: {
      rate: 8_000,
      encode: (samples) => Uint8Array.from(samples, toCode),
      decode: (frame) => Array.from(frame, (code) => codes[code] ?? 0),
    },
    pcm16: {
      rate: 16_000,
      encode(samples) {
        const view = new DataView(new ArrayBuffer(2 * samples.length));
        for (const [at, sample] of samples.entries()) {
          view.setInt16(2 * at, Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))), true);
        }
        return new Uint8Array(view.buffer);
      },
      decode(frame) {
        const view = new DataView(frame.buffer, frame.byteOffset);
        return Array.from({ length: frame.length >> 1 }, (_, at) => view.getInt16(2 * at, true) / 32_768);
      },
    },
  };
  const samplesOf = ({ rate }: Codec): number => rate / 50;

  const isSilent = (samples: readonly number[]): boolean => samples.every((sample) => sample === 0);
  const levelOf = (samples: ArrayLike<number>): number => {
    let sum = 0;
    for (let at = 0; at < samples.length; at++) sum += (samples[at] ?? 0) ** 2;
    return Math.min(1, Math.sqrt(sum / Math.max(1, samples.length)));
  };

  /** Resamples a stream by a windowed sinc that passes 92 % of the lower rate's band. */
  class Resampler {
    readonly #step: number;
    readonly #half: number;
    readonly #kernel: Float32Array;
    readonly #perSample = 64;
    #input: number[];
    #at: number;

    constructor(from: number, to: number) {
      this.#step = from / to;
      const cutoff = Math.min(1, to / from) * 0.92;
      this.#half = Math.ceil(12 / cutoff);
      this.#kernel = Float32Array.from({ length: (this.#half + 1) * this.#perSample + 1 }, (_, n) => {
        const distance = n / this.#perSample;
        if (distance >= this.#half) return 0;
        const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / this.#half);
        const angle = Math.PI * distance * cutoff;
        return window * cutoff * (angle === 0 ? 1 : Math.sin(angle) / angle);
      });
      this.#input = new Array(this.#half).fill(0);
      this.#at = this.#half;
    }

    push(samples: ArrayLike<number>, output: number[]): void {
      for (let at = 0; at < samples.length; at++) this.#input.push(samples[at] ?? 0);
      for (; this.#at + this.#half < this.#input.length; this.#at += this.#step) output.push(this.#sample());
      const done = Math.max(0, Math.floor(this.#at) - this.#half);
      this.#input.splice(0, done);
      this.#at -= done;
    }

    #sample(): number {
      let sum = 0;
      const first = Math.max(0, Math.ceil(this.#at - this.#half));
      const last = Math.min(this.#input.length - 1, Math.floor(this.#at + this.#half));
      for (let at = first; at <= last; at++) {
        const tap = this.#kernel[Math.round(Math.abs(at - this.#at) * this.#perSample)] ?? 0;
        sum += (this.#input[at] ?? 0) * tap;
      }
      return sum;
    }
  }

  class Recorder extends AudioWorkletProcessor {
    #codec = codecs.pcmu;
    #resampler = new Resampler(sampleRate, this.#codec.rate);
    #samples: number[] = [];

    constructor() {
      super();
      this.port.onmessage = ({ data }) => {
        if (!('encoding' in data)) return;
        this.#codec = codecs[data.encoding];
        this.#resampler = new Resampler(sampleRate, this.#codec.rate);
        this.#samples = [];
      };
    }

    process([input]: readonly (readonly Float32Array[])[]): boolean {
      this.#resampler.push(input?.[0] ?? new Float32Array(128), this.#samples);
      const count = samplesOf(this.#codec);
      while (this.#samples.length >= count) {
        const samples = this.#samples.splice(0, count);
        const frame = this.#codec.encode(samples);
        this.port.postMessage({ frame, level: levelOf(samples) }, [frame.buffer]);
      }
      return true;
    }
  }

  /** Plays the frames of the network through a jitter buffer of 60 to 200 ms, which grows when it runs empty. */
  class Player extends AudioWorkletProcessor {
    #codec = codecs.pcmu;
    #resampler = new Resampler(this.#codec.rate, sampleRate);
    readonly #minFrames = 3;
    readonly #maxFrames = 10;
    /** Frames to collect before playing. */
    #target = 3;
    #queue: { sequence: number; frame: Uint8Array }[] = [];
    #samples: number[] = [];
    #isPlaying = false;
    #played = 0;
    #reported = 0;
    #steady = 0;
    #level = 0;

    constructor() {
      super();
      this.port.onmessage = ({ data }) => {
        if ('encoding' in data) {
          this.#codec = codecs[data.encoding];
          this.#resampler = new Resampler(this.#codec.rate, sampleRate);
        } else if ('clear' in data) this.#clear(data.clear);
        else if (data.sequence >= this.#next) this.#queue.push(data);
      };
    }

    process(_: unknown, [output]: readonly (readonly Float32Array[])[]): boolean {
      const channel = output?.[0];
      if (channel === undefined) return true;
      while (this.#samples.length < channel.length) this.#take();
      const samples = this.#samples.splice(0, channel.length);
      channel.set(samples);
      return true;
    }

    get #next(): number {
      return (this.#queue.at(-1)?.sequence ?? this.#played - 1) + 1;
    }

    /** Plays the next frame, or 20 ms of silence. */
    #take(): void {
      if (!this.#isPlaying) this.#isPlaying = this.#queue.length >= this.#target;
      this.#skipSilence();
      const next = this.#isPlaying ? this.#queue.shift() : undefined;
      if (next === undefined) {
        if (this.#isPlaying) this.#target = Math.min(this.#maxFrames, this.#target + 1);
        this.#isPlaying = false;
        if (this.#played !== this.#reported) this.#report();
        this.#steady = 0;
        this.#level = 0;
        this.#resampler.push(new Float32Array(samplesOf(this.#codec)), this.#samples);
        return;
      }
      const samples = this.#codec.decode(next.frame);
      this.#level = levelOf(samples);
      this.#resampler.push(samples, this.#samples);
      this.#played = next.sequence + 1;
      this.#steady += 1;
      // After 10 s without an empty buffer, the buffer may be shorter.
      if (this.#steady % 500 === 0) this.#target = Math.max(this.#minFrames, this.#target - 1);
      if (this.#played - this.#reported >= 10) this.#report();
    }

    /**
     * Drops silent frames while the queue is longer than needed, so that a burst of the network adds no lasting delay.
     */
    #skipSilence(): void {
      for (let next = this.#queue[0]; this.#isPlaying && next !== undefined; next = this.#queue[0]) {
        if (this.#queue.length <= this.#target + 2 || !isSilent(this.#codec.decode(next.frame))) return;
        this.#queue.shift();
        this.#played = next.sequence + 1;
      }
    }

    #clear(sequence: number): void {
      this.#queue = this.#queue.filter((each) => each.sequence >= sequence);
      this.#played = Math.max(this.#played, sequence);
      this.#samples = [];
      this.#report();
    }

    #report(): void {
      this.#reported = this.#played;
      this.port.postMessage({ played: this.#played, level: this.#level });
    }
  }

  registerProcessor('va-recorder', Recorder);
  registerProcessor('va-player', Player);
}
