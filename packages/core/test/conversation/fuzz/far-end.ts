import { ScriptedIncomingCall } from '@va/testkit';

export const silentCode = 0xff;

/** A caller who keeps one code of each frame that it gets: all samples of an utterance have the same one. */
export class FarEnd extends ScriptedIncomingCall {
  readonly codes: number[] = [];

  override send(frame: Uint8Array): void {
    if (this.sending) this.codes.push(frame[0] ?? silentCode);
  }
}
