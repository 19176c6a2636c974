import type { AudioFormat, DtmfDigit, LegEnd, MediaLeg } from '@va/core/adapter';

const silence = 0xff;
const loud = 0x10;

/**
 * Returns a frame of a caller who speaks (loud samples) or is silent: 20 ms of μ-law.
 *
 * @example leg.hear(callerFrame(true))
 */
export function callerFrame(speaking: boolean): Uint8Array {
  return new Uint8Array(160).fill(speaking ? loud : silence);
}

/** Shared by all legs: most frames of a call are silent, and a copy of each would take most of its memory. */
const silentFrame = callerFrame(false);

function isSilent(frame: Uint8Array): boolean {
  return Buffer.compare(frame, silentFrame) === 0;
}

/** A media leg without a network: the test plays the far end, and sees what is sent to it. */
export class ScriptedLeg implements MediaLeg {
  readonly format: AudioFormat = { encoding: 'pcmu', sampleRateHz: 8_000 };
  /** All frames that the service sent, in order. Silent ones are the same object. */
  readonly sent: Uint8Array[] = [];
  /** DTMF digits that the service sent. */
  readonly pressed: { readonly digits: string; readonly toneMs: number }[] = [];
  receiving = true;
  /** False while the far end has put the call on hold. */
  sending = true;
  aliveAtMs = 0;
  answered = false;
  #onFrame: ((frame: Uint8Array | null) => void) | null = null;
  #onDtmf: ((digit: DtmfDigit) => void) | null = null;
  #onEnd: ((end: LegEnd) => void) | null = null;
  #end: LegEnd | null = null;

  get end(): LegEnd | null {
    return this.#end;
  }

  hangup(): void {
    this.finish({ cause: 'local-hangup' });
  }

  onEnd(listener: (end: LegEnd) => void): void {
    this.#onEnd = listener;
    if (this.#end !== null) listener(this.#end);
  }

  onFrame(listener: (frame: Uint8Array | null) => void): void {
    this.#onFrame = listener;
  }

  onDtmf(listener: (digit: DtmfDigit) => void): void {
    this.#onDtmf = listener;
  }

  send(frame: Uint8Array): void {
    if (this.sending) this.sent.push(isSilent(frame) ? silentFrame : frame.slice());
  }

  sendDtmf(digits: string, toneMs: number): void {
    this.pressed.push({ digits, toneMs });
  }

  /** Passes the far end's next frame, of 20 ms, to the service. */
  hear(frame: Uint8Array | null): void {
    this.#onFrame?.(frame);
  }

  press(digit: string): void {
    this.#onDtmf?.({ digit, durationMs: 100 });
  }

  /** Ends the leg from the far end. */
  leave(end: LegEnd = { cause: 'remote-hangup' }): void {
    this.finish(end);
  }

  protected finish(end: LegEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#onEnd?.(end);
  }
}
