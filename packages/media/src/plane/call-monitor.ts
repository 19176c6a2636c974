import type { FrameRecording } from '../recording/stereo-recording.ts';

/** Frames of the caller that wait at most: what arrives in bursts is passed on late by as much. */
const places = 4;

/**
 * Passes both sides of a call to a listener: one pair of frames each time a frame is sent. Less late than
 * a recording, which waits for frames that the network has delayed.
 */
export class CallMonitor {
  readonly #listener: FrameRecording;
  readonly #silence: Uint8Array;
  readonly #frames: readonly Uint8Array[];
  /** Numbers of the next frame to be taken, and to be added. */
  #taken = 0;
  #added = 0;

  /** @param silence a silent frame of the leg */
  constructor(listener: FrameRecording, silence: Uint8Array) {
    this.#listener = listener;
    this.#silence = silence;
    this.#frames = Array.from({ length: places }, () => new Uint8Array(silence.length));
  }

  /** Takes a frame of the caller. Copies it. */
  receive(frame: Uint8Array): void {
    if (this.#added - this.#taken === places) this.#taken += 1;
    this.#frames[this.#added % places]?.set(frame);
    this.#added += 1;
  }

  /** Takes the frame that is sent now. */
  send(frame: Uint8Array): void {
    if (this.#taken === this.#added) {
      this.#listener.write(this.#silence, frame);
      return;
    }
    const caller = this.#frames[this.#taken % places];
    this.#taken += 1;
    this.#listener.write(caller ?? this.#silence, frame);
  }
}
