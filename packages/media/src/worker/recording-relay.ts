import { type LegEncoding, legAudio } from '../codec/leg-encoding.ts';
import type { FrameRecording } from '../recording/stereo-recording.ts';
import { type FrameBatch, FrameReader, FrameWriter } from './shared-frames.ts';

/** Suffices for a reader that responds within a seventh of a second; the memory grows for a slower one. */
const initialPlaces = 32;

/**
 * Passes both sides of a call to another thread, which records them or passes them to a listener. Frames keep the leg's
 * encoding, which for G.711 is half the size of samples: each entry is a frame of the caller followed by one of the
 * agent.
 */
export class RecordingRelay implements FrameRecording {
  readonly #emit: (frames: FrameBatch) => void;
  readonly #frames: FrameWriter;
  readonly #batchFrames: number;

  /** @param batchFrames frames of each side that are passed together */
  constructor(encoding: LegEncoding, batchFrames: number, emit: (frames: FrameBatch) => void) {
    this.#batchFrames = batchFrames;
    this.#frames = new FrameWriter(initialPlaces, 2 * legAudio[encoding].frameBytes);
    this.#emit = emit;
  }

  write(caller: Uint8Array, agent: Uint8Array): void {
    if (this.#frames.isFull) {
      this.flush();
      this.#frames.grow();
    }
    this.#frames.write(0, caller, agent);
    if (this.#frames.pending === this.#batchFrames) this.flush();
  }

  flush(): void {
    if (this.#frames.pending > 0) this.#emit(this.#frames.takeBatch());
  }
}

/** Writes the recording that a `RecordingRelay` passes. */
export class RecordingReplay {
  readonly #recording: FrameRecording;
  readonly #frames: FrameReader;
  readonly #caller: Uint8Array;
  readonly #agent: Uint8Array;

  constructor(encoding: LegEncoding, recording: FrameRecording) {
    const { frameBytes } = legAudio[encoding];
    this.#recording = recording;
    this.#frames = new FrameReader(2 * frameBytes);
    this.#caller = this.#frames.frame.subarray(0, frameBytes);
    this.#agent = this.#frames.frame.subarray(frameBytes);
  }

  replay(frames: FrameBatch): void {
    this.#frames.read(frames, () => this.#recording.write(this.#caller, this.#agent));
  }
}
