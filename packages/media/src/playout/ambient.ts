import { frameSamples } from '../codec/frame.ts';
import { decodeG711, encodeG711, type G711Encoding } from '../codec/g711.ts';
import { ambientLoop } from './ambient-loops.ts';
import type { AmbientSettings } from './ambient-settings.ts';

/**
 * The room behind the agent's voice. It goes on at its own pace, whatever the agent does: a pause, an interruption or
 * the end of a sentence is no gap in it.
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

  /** Null where nothing is to be heard: frames then need not be touched. */
  static of(settings: AmbientSettings | undefined, encoding: G711Encoding): Ambient | null {
    if (settings === undefined || settings.sound === 'none' || settings.volume <= 0) return null;
    return new Ambient(ambientLoop(settings.sound), settings.volume, encoding);
  }

  /**
   * The agent's frame with the next 20 ms of the room, or the room alone while the agent is silent. The bytes are
   * overwritten by the next call.
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
