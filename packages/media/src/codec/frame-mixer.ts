import { type LegEncoding, legAudio } from './leg-encoding.ts';
import { decodeSamples, encodeSamples } from './leg-samples.ts';

/** Adds frames of one encoding. */
export class FrameMixer {
  readonly #encoding: LegEncoding;
  readonly #left: Int16Array;
  readonly #right: Int16Array;
  readonly #mixed: Uint8Array;

  constructor(encoding: LegEncoding) {
    const { frameSamples, frameBytes } = legAudio[encoding];
    this.#encoding = encoding;
    this.#left = new Int16Array(frameSamples);
    this.#right = new Int16Array(frameSamples);
    this.#mixed = new Uint8Array(frameBytes);
  }

  /** Returns the sum of two frames, valid until the next one. */
  mix(left: Uint8Array, right: Uint8Array): Uint8Array {
    const sum = decodeSamples(this.#encoding, left, this.#left);
    const other = decodeSamples(this.#encoding, right, this.#right);
    for (let i = 0; i < sum.length; i++) {
      sum[i] = Math.max(-32_768, Math.min(32_767, (sum[i] as number) + (other[i] as number)));
    }
    return encodeSamples(this.#encoding, sum, this.#mixed);
  }
}
