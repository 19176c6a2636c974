import { silentFrames } from '../../codec/frame.ts';
import type { LegEncoding } from '../../codec/leg-encoding.ts';
import { DtmfSender } from './dtmf-sender.ts';
import { toneFrame } from './dtmf-tone.ts';

/** Digits as in-band tones, for lines that carry no DTMF events. */
export class DtmfTones {
  readonly #encoding: LegEncoding;
  readonly #sender = new DtmfSender();

  constructor(encoding: LegEncoding) {
    this.#encoding = encoding;
  }

  /** Appends digits and pauses; other characters are ignored. */
  press(keys: string, toneMs: number): void {
    this.#sender.press(keys, toneMs);
  }

  /** Returns the frame that replaces the next one; null if no digit is being sent. */
  next(): Uint8Array | null {
    const step = this.#sender.next();
    if (step === null) return null;
    return step.kind === 'pause'
      ? silentFrames[this.#encoding]
      : toneFrame(step.packet, step.soundsFromMs, this.#encoding);
  }
}
