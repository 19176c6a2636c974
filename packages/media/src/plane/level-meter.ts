import { decodeFrame } from '../codec/frame.ts';
import { decodeG711 } from '../codec/g711.ts';
import type { LegEncoding } from '../codec/leg-encoding.ts';

/** Loudness of both sides in dB of the full scale, in whole numbers; -60 stands for silence. */
export interface Levels {
  readonly callerDb: number;
  readonly agentDb: number;
}

export const silentDb = -60;
/** Sent frames between two measurements: 400 ms. */
const everyFrames = 20;

/** Measures the loudness of both sides of a call. */
export class LevelMeter {
  readonly #onLevels: (levels: Levels) => void;
  readonly #caller: Power;
  readonly #agent: Power;
  #frames = 0;
  #last: Levels = { callerDb: silentDb, agentDb: silentDb };

  /** @param onLevels called when the levels differ from the last ones; the first are compared with silence */
  constructor(encoding: LegEncoding, onLevels: (levels: Levels) => void) {
    this.#onLevels = onLevels;
    this.#caller = new Power(encoding);
    this.#agent = new Power(encoding);
  }

  receive(frame: Uint8Array): void {
    this.#caller.add(frame);
  }

  send(frame: Uint8Array): void {
    this.#agent.add(frame);
    this.#frames += 1;
    if (this.#frames < everyFrames) return;
    this.#frames = 0;
    const levels = { callerDb: this.#caller.take(), agentDb: this.#agent.take() };
    if (levels.callerDb === this.#last.callerDb && levels.agentDb === this.#last.agentDb) return;
    this.#last = levels;
    this.#onLevels(levels);
  }
}

/** Squared sample value of each G.711 code. */
const squares = { pcmu: squaresOf('pcmu'), pcma: squaresOf('pcma') } as const;

function squaresOf(encoding: 'pcmu' | 'pcma'): Float64Array {
  const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
  return Float64Array.from(decodeG711(encoding, codes), (sample) => sample ** 2);
}

/** Step between the measured samples of a frame. Every second frame is skipped too: this hardly changes the mean. */
const sampleStride = 4;

/** Accumulates the mean power of audio. */
class Power {
  readonly #encoding: LegEncoding;
  #sum = 0;
  #count = 0;
  #isSkipped = true;

  constructor(encoding: LegEncoding) {
    this.#encoding = encoding;
  }

  add(frame: Uint8Array): void {
    this.#isSkipped = !this.#isSkipped;
    if (this.#isSkipped) return;
    if (this.#encoding === 'pcm16') this.#addSamples(decodeFrame('pcm16', frame));
    else this.#addCodes(frame, squares[this.#encoding]);
  }

  /** Returns the mean level since the last call, in dB of the full scale. */
  take(): number {
    const power = this.#count === 0 ? 0 : this.#sum / this.#count / 32_768 ** 2;
    this.#sum = 0;
    this.#count = 0;
    return power === 0 ? silentDb : Math.max(silentDb, Math.round(10 * Math.log10(power)));
  }

  #addCodes(frame: Uint8Array, squareOf: Float64Array): void {
    let sum = 0;
    for (let i = 0; i < frame.length; i += sampleStride) sum += squareOf[frame[i] as number] as number;
    this.#sum += sum;
    this.#count += frame.length / sampleStride;
  }

  #addSamples(samples: Int16Array): void {
    let sum = 0;
    for (let i = 0; i < samples.length; i += sampleStride) sum += (samples[i] as number) ** 2;
    this.#sum += sum;
    this.#count += samples.length / sampleStride;
  }
}
