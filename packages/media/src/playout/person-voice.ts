/** Frames that wait at first, so that those that the network delays are not missed: 60 ms. */
const firstFrames = 3;
/** More than these are dropped, the oldest first: 200 ms. */
const maxFrames = 10;

/** The voice of a person who speaks with the caller in the agent's place: a short queue of frames. */
export class PersonVoice {
  #frames: Uint8Array[] = [];
  #isPlaying = false;

  /** Adds a frame in the leg's encoding. Keeps it. */
  push(frame: Uint8Array): void {
    this.#frames.push(frame);
    if (this.#frames.length > maxFrames) this.#frames.shift();
    if (this.#frames.length >= firstFrames) this.#isPlaying = true;
  }

  /** Returns the frame to send now; null if there is none yet. */
  take(): Uint8Array | null {
    if (!this.#isPlaying) return null;
    const frame = this.#frames.shift() ?? null;
    if (frame === null) this.#isPlaying = false;
    return frame;
  }
}
