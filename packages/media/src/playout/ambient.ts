import { frameSamples } from '../codec/frame.ts';
import { decodeG711, encodeG711, type G711Encoding } from '../codec/g711.ts';
import { ambientLoop } from './ambient-loops.ts';
import type { AmbientSettings } from './ambient-settings.ts';

/**
 * Ambient sound behind the agent's voice. It continues at its own pace, through pauses, interruptions and ends of
 * sentences.
 */
export class Ambient {
  readonly #loop: Int16Array;
  readonly #volume: number;
  readonly #encoding: G711Encoding;
  readonly #mixed = new Int16Array(frameSamples);
  readonly #codes = new Uint8Array(frameSamples);
  #at = 0;

  private constructor(loop: Int16Array, volume: number, encoding: G711Encoding) {
    this.#loop = loop;
    this.#volume = volume;
    this.#encoding = encoding;
  }

  /** Null if the sound is silent: frames are left untouched then. */
  static of(settings: AmbientSettings | undefined, encoding: G711Encoding): Ambient | null {
    if (settings === undefined || settings.volume <= 0) return null;
    const { sound, samples, volume } = settings;
    if (samples !== undefined) return new Ambient(samples, volume, encoding);
    return sound === 'none' ? null : new Ambient(ambientLoop(sound), volume, encoding);
  }

  /**
   * Returns the agent's frame mixed with the next 20 ms of the ambient sound, or that sound alone while the agent is
   * silent. The buffer is overwritten by the next call.
   */
  mix(frame: Uint8Array | null): Uint8Array {
    const mixed = this.#mixed;
    if (frame === null) mixed.fill(0);
    else decodeG711(this.#encoding, frame, mixed);
    for (let i = 0; i < frameSamples; i++) {
      const sum = (mixed[i] as number) + (this.#loop[this.#at + i] as number) * this.#volume;
      mixed[i] = Math.max(-32_768, Math.min(32_767, sum));
    }
    this.#at = (this.#at + frameSamples) % this.#loop.length;
    return encodeG711(this.#encoding, mixed, this.#codes);
  }
}
