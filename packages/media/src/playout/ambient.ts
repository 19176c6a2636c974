import { type LegEncoding, legAudio } from '../codec/leg-encoding.ts';
import { decodeSamples, encodeSamples } from '../codec/leg-samples.ts';
import { ambientLoop } from './ambient-loops.ts';
import type { BackgroundSound } from './background-sound.ts';

/**
 * Ambient sound behind the agent's voice. It continues at its own pace, through pauses, interruptions and ends of
 * sentences.
 */
export class Ambient {
  readonly #loop: Int16Array;
  readonly #volume: number;
  readonly #encoding: LegEncoding;
  readonly #mixed: Int16Array;
  readonly #frame: Uint8Array;
  #at = 0;

  private constructor(loop: Int16Array, volume: number, encoding: LegEncoding) {
    this.#loop = loop;
    this.#volume = volume;
    this.#encoding = encoding;
    this.#mixed = new Int16Array(legAudio[encoding].frameSamples);
    this.#frame = new Uint8Array(legAudio[encoding].frameBytes);
  }

  /** Creates the sound of a leg; null if it is silent: frames are then left unchanged. */
  static of(settings: BackgroundSound | undefined, encoding: LegEncoding): Ambient | null {
    if (settings === undefined || settings.volume <= 0) return null;
    const { sound, samples, volume } = settings;
    if (samples !== undefined) return new Ambient(samples, volume, encoding);
    return sound === 'none' ? null : new Ambient(ambientLoop(sound, legAudio[encoding].sampleRateHz), volume, encoding);
  }

  /**
   * Returns the agent's frame mixed with the next 20 ms of the ambient sound, or that sound alone while the agent is
   * silent. The buffer is overwritten by the next call.
   */
  mix(frame: Uint8Array | null): Uint8Array {
    const mixed = this.#mixed;
    if (frame === null) mixed.fill(0);
    else decodeSamples(this.#encoding, frame, mixed);
    for (let i = 0; i < mixed.length; i++) {
      const sum = (mixed[i] as number) + (this.#loop[this.#at + i] as number) * this.#volume;
      mixed[i] = Math.max(-32_768, Math.min(32_767, sum));
    }
    this.#at = (this.#at + mixed.length) % this.#loop.length;
    return encodeSamples(this.#encoding, mixed, this.#frame);
  }
}
