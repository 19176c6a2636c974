import { type LegEncoding, legAudio } from '../codec/leg-encoding.ts';
import { decodeSamples, encodeSamples } from '../codec/leg-samples.ts';

/** Duration of a change between full level and silence: shorter ones click. */
const rampMs = 40;

/** Level of the agent's voice, which is lowered while the caller may be starting to speak. */
export class VoiceLevel {
  readonly #encoding: LegEncoding;
  /** Maximum change of the gain from one sample to the next. */
  readonly #gainPerSample: number;
  #gain = 1;
  #target = 1;
  /** Allocated with the first change, because most calls have few. */
  #samples: Int16Array | null = null;

  constructor(encoding: LegEncoding) {
    this.#encoding = encoding;
    this.#gainPerSample = 1_000 / (rampMs * legAudio[encoding].sampleRateHz);
  }

  /** @param db 0 for the full level, negative for a lower one */
  set(db: number): void {
    this.#target = Math.min(1, 10 ** (db / 20));
  }

  /** Restores the full level at once, for a new stretch of speech. */
  reset(): void {
    this.#gain = 1;
    this.#target = 1;
  }

  /** Changes a frame in place. A frame at full level stays as it is. */
  apply(frame: Uint8Array): void {
    if (this.#gain === 1 && this.#target === 1) return;
    this.#samples ??= new Int16Array(legAudio[this.#encoding].frameSamples);
    const samples = decodeSamples(this.#encoding, frame, this.#samples);
    for (let i = 0; i < samples.length; i++) {
      this.#step();
      samples[i] = Math.round((samples[i] as number) * this.#gain);
    }
    encodeSamples(this.#encoding, samples, frame);
  }

  #step(): void {
    const difference = this.#target - this.#gain;
    if (difference === 0) return;
    this.#gain += Math.max(-this.#gainPerSample, Math.min(this.#gainPerSample, difference));
  }
}
