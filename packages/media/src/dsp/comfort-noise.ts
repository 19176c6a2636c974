import { type LegEncoding, legAudio } from '../codec/leg-encoding.ts';
import { encodeSamples } from '../codec/leg-samples.ts';

/** Maximum level: 0 dBov is a square wave of full scale. @see RFC 3389 §3 */
const overload = 32_768;
/** Ratio of the maximum amplitude of uniformly distributed noise to its root mean square. */
const peakOfEvenNoise = Math.sqrt(3);
/** Maximum plausible level of a silent line; packets that claim more are wrong. */
const loudestDb = -30;

/**
 * Generates comfort noise at the level that the far end names. The shape of its spectrum is ignored, because
 * recognition does not need it.
 * @see RFC 3389
 */
export class ComfortNoise {
  readonly #encoding: LegEncoding;
  readonly #samples: Int16Array;
  #state = 1;

  constructor(encoding: LegEncoding) {
    this.#encoding = encoding;
    this.#samples = new Int16Array(legAudio[encoding].frameSamples);
  }

  /** Returns one frame for the payload of a comfort noise packet. */
  frame(payload: Uint8Array): Uint8Array {
    const levelDb = Math.min(loudestDb, -((payload[0] ?? 127) & 0x7f));
    const amplitude = overload * 10 ** (levelDb / 20) * peakOfEvenNoise;
    for (let i = 0; i < this.#samples.length; i++) {
      // The sequence needs no security: it must only not repeat within a call.
      this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
      this.#samples[i] = Math.round((this.#state / 0x80000000) * amplitude);
    }
    return encodeSamples(this.#encoding, this.#samples);
  }
}
