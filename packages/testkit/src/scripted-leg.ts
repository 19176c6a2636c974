import type { AudioFormat, DtmfDigit, IncomingCall, LegEnd, MediaLeg, Party, RejectCause } from '@va/core';

const silence = 0xff;
const loud = 0x10;

/** A caller's frame of speech (a loud tone) or silence, 20 ms of μ-law. */
export function callerFrame(speaking: boolean): Uint8Array {
  return new Uint8Array(160).fill(speaking ? loud : silence);
}

function party(number: string): Party {
  return { number, displayName: null, uri: `sip:${number}@test.invalid` };
}

/** An incoming call without a network: the test plays the far end. */
export class ScriptedIncomingCall implements IncomingCall, MediaLeg {
  readonly id: string;
  readonly from: Party;
  readonly to: Party;
  readonly format: AudioFormat = { encoding: 'pcmu', sampleRateHz: 8_000 };
  /** Every frame the service sent, in order. */
  readonly sent: Uint8Array[] = [];
  /** The keys that the service pressed. */
  readonly pressed: { readonly digits: string; readonly toneMs: number }[] = [];
  receiving = true;
  rang = false;
  answered = false;
  rejected: RejectCause | null = null;
  #onFrame: ((frame: Uint8Array | null) => void) | null = null;
  #onDtmf: ((digit: DtmfDigit) => void) | null = null;
  #onEnd: ((end: LegEnd) => void) | null = null;
  #end: LegEnd | null = null;

  constructor(options: { readonly to: string; readonly from?: string; readonly id?: string }) {
    this.id = options.id ?? 'scripted-call';
    this.from = party(options.from ?? '+31612345678');
    this.to = party(options.to);
  }

  get end(): LegEnd | null {
    return this.#end;
  }

  ring(): void {
    this.rang = true;
  }

  answer(): Promise<MediaLeg> {
    if (this.#end !== null) return Promise.reject(new Error('The caller has gone.'));
    this.answered = true;
    return Promise.resolve(this);
  }

  reject(cause: RejectCause): void {
    if (this.answered || this.#end !== null) return;
    this.rejected = cause;
    this.#finish({ cause: 'local-hangup' });
  }

  hangup(): void {
    this.#finish({ cause: 'local-hangup' });
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
    this.sent.push(frame.slice());
  }

  sendDtmf(digits: string, toneMs: number): void {
    this.pressed.push({ digits, toneMs });
  }

  /** The caller's next 20 ms. */
  hear(frame: Uint8Array | null): void {
    this.#onFrame?.(frame);
  }

  press(digit: string): void {
    this.#onDtmf?.({ digit, durationMs: 100 });
  }

  /** The far end's doing. */
  leave(end: LegEnd = { cause: 'remote-hangup' }): void {
    this.#finish(end);
  }

  #finish(end: LegEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#onEnd?.(end);
  }
}
