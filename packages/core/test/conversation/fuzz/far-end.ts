import { ScriptedIncomingCall } from '@va/testkit';

export const silentCode = 0xff;

/** A caller that keeps one code of each received frame: all samples of an utterance have the same code. */
export class FarEnd extends ScriptedIncomingCall {
  readonly codes: number[] = [];

  override send(frame: Uint8Array): void {
    if (this.sending) this.codes.push(frame[0] ?? silentCode);
  }
}
