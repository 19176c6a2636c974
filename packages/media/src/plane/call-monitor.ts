import type { FrameRecording } from '../recording/stereo-recording.ts';

/**
 * Maximum number of buffered frames of the caller. Frames that arrive in a burst are delayed by at most this number.
 */
const places = 4;

/**
 * Passes both sides of a call to a listener: one pair of frames each time a frame is sent. Has less delay than a
 * recording, which waits for frames that the network has delayed.
 */
export class CallMonitor {
  readonly #listener: FrameRecording;
  readonly #silence: Uint8Array;
  readonly #frames: readonly Uint8Array[];
  /** Running numbers of the caller's next frame to take from the buffer, and of the next one to add. */
  #taken = 0;
  #added = 0;

  /** @param silence a silent frame of the leg */
  constructor(listener: FrameRecording, silence: Uint8Array) {
    this.#listener = listener;
    this.#silence = silence;
    this.#frames = Array.from({ length: places }, () => new Uint8Array(silence.length));
  }

  /** Buffers a copy of a frame of the caller. If the buffer is full, the oldest frame is dropped. */
  receive(frame: Uint8Array): void {
    if (this.#added - this.#taken === places) this.#taken += 1;
    this.#frames[this.#added % places]?.set(frame);
    this.#added += 1;
  }

  /** Passes a sent frame to the listener, with the oldest buffered frame of the caller or silence. */
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
