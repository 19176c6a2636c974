import { encodeG711, type G711Encoding } from '../codec/g711.ts';

const frameSamples = 160;
/** The loudest there is: 0 dBov is a square wave of full scale. @see RFC 3389 §3 */
const overload = 32_768;
/** The largest amplitude of evenly distributed noise, of its root mean square. */
const peakOfEvenNoise = Math.sqrt(3);
/** What no line is louder than while its people are silent: a packet that claims more is wrong. */
const loudestDb = -30;

/**
 * What a far end that has stopped sending wants to be heard: noise of the level that it names. The shape of its
 * spectrum is left out, as recognition does not care.
 * @see RFC 3389
 */
export class ComfortNoise {
  readonly #encoding: G711Encoding;
  readonly #samples = new Int16Array(frameSamples);
  #state = 1;

  constructor(encoding: G711Encoding) {
    this.#encoding = encoding;
  }

  /** One frame, by the payload of a comfort noise packet. */
  frame(payload: Uint8Array): Uint8Array {
    const levelDb = Math.min(loudestDb, -((payload[0] ?? 127) & 0x7f));
    const amplitude = overload * 10 ** (levelDb / 20) * peakOfEvenNoise;
    for (let i = 0; i < frameSamples; i++) {
      // Noise, not a secret: any sequence that does not repeat within a call will do.
      this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
      this.#samples[i] = Math.round((this.#state / 0x80000000) * amplitude);
    }
    return encodeG711(this.#encoding, this.#samples);
  }
}
