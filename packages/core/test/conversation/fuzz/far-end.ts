import { ScriptedIncomingCall } from '@va/testkit';

export const silentCode = 0xff;

/** A caller that keeps one code of each received frame: all samples of an utterance have the same code. */
export class FarEnd extends ScriptedIncomingCall {
  readonly codes: number[] = [];
  /** Number of frames of each code. */
  readonly framesOf: Uint32Array = new Uint32Array(256);

  override send(frame: Uint8Array): void {
    if (!this.sending) return;
    const code = frame[0] ?? silentCode;
    this.codes.push(code);
    this.framesOf[code] = (this.framesOf[code] ?? 0) + 1;
  }
}
