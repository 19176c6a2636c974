import { decodeFrame } from '../codec/frame.ts';
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
  readonly #encoding: LegEncoding;
  readonly #onLevels: (levels: Levels) => void;
  readonly #caller = new Power();
  readonly #agent = new Power();
  #frames = 0;
  #last: Levels = { callerDb: silentDb, agentDb: silentDb };

  /** @param onLevels called with levels that differ from the last ones, which were silent at first */
  constructor(encoding: LegEncoding, onLevels: (levels: Levels) => void) {
    this.#encoding = encoding;
    this.#onLevels = onLevels;
  }

  hear(frame: Uint8Array): void {
    this.#caller.add(decodeFrame(this.#encoding, frame));
  }

  send(frame: Uint8Array): void {
    this.#agent.add(decodeFrame(this.#encoding, frame));
    this.#frames += 1;
    if (this.#frames < everyFrames) return;
    this.#frames = 0;
    const levels = { callerDb: this.#caller.take(), agentDb: this.#agent.take() };
    if (levels.callerDb === this.#last.callerDb && levels.agentDb === this.#last.agentDb) return;
    this.#last = levels;
    this.#onLevels(levels);
  }
}

/** Mean power of samples. */
class Power {
  #sum = 0;
  #count = 0;

  add(samples: Int16Array): void {
    let sum = 0;
    for (let i = 0; i < samples.length; i++) sum += (samples[i] as number) ** 2;
    this.#sum += sum;
    this.#count += samples.length;
  }

  /** Returns the level in dB since the last time. */
  take(): number {
    const power = this.#count === 0 ? 0 : this.#sum / this.#count / 32_768 ** 2;
    this.#sum = 0;
    this.#count = 0;
    return power === 0 ? silentDb : Math.max(silentDb, Math.round(10 * Math.log10(power)));
  }
}
