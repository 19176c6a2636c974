import { frameSamples } from '../codec/frame.ts';
import type { FrameRecording } from '../recording/stereo-recording.ts';
import { type FrameBatch, FrameReader, FrameWriter } from './shared-frames.ts';

/** Frames of each side per batch: half a second. */
const batchFrames = 25;
/** Enough for a reader that takes a seventh of a second; the memory grows for a slower one. */
const initialPlaces = 32;
const pairBytes = 2 * frameSamples;

/**
 * Passes a recording to another thread, which writes it. Frames keep the leg's encoding, half the size of samples: each
 * entry is a frame of the caller followed by one of the agent.
 */
export class RecordingRelay implements FrameRecording {
  readonly #emit: (frames: FrameBatch) => void;
  readonly #frames = new FrameWriter(initialPlaces, pairBytes);

  constructor(emit: (frames: FrameBatch) => void) {
    this.#emit = emit;
  }

  write(caller: Uint8Array, agent: Uint8Array): void {
    if (this.#frames.isFull) {
      this.flush();
      this.#frames.grow();
    }
    this.#frames.write(0, caller, agent);
    if (this.#frames.pending === batchFrames) this.flush();
  }

  flush(): void {
    if (this.#frames.pending > 0) this.#emit(this.#frames.takeBatch());
  }
}

/** Writes the recording that a `RecordingRelay` passes. */
export class RecordingReplay {
  readonly #recording: FrameRecording;
  readonly #frames = new FrameReader(pairBytes);
  readonly #caller = this.#frames.frame.subarray(0, frameSamples);
  readonly #agent = this.#frames.frame.subarray(frameSamples);

  constructor(recording: FrameRecording) {
    this.#recording = recording;
  }

  replay(frames: FrameBatch): void {
    this.#frames.read(frames, () => this.#recording.write(this.#caller, this.#agent));
  }
}
