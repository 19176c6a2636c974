/** Number of frames queued before playing begins, so that frames delayed by the network leave no gaps: 60 ms. */
const firstFrames = 3;
/** Maximum length of the queue: 200 ms. Beyond it the oldest frame is dropped. */
const maxFrames = 10;

/** The voice of a supervisor who speaks with the caller in the agent's place: a short queue of frames. */
export class SupervisorVoice {
  #frames: Uint8Array[] = [];
  #isPlaying = false;

  /** Adds a frame in the leg's encoding, without copying it. */
  push(frame: Uint8Array): void {
    this.#frames.push(frame);
    if (this.#frames.length > maxFrames) this.#frames.shift();
    if (this.#frames.length >= firstFrames) this.#isPlaying = true;
  }

  /** Returns the frame to send now; null until 60 ms are queued, at first and each time after the queue ran empty. */
  take(): Uint8Array | null {
    if (!this.#isPlaying) return null;
    const frame = this.#frames.shift() ?? null;
    if (frame === null) this.#isPlaying = false;
    return frame;
  }
}
