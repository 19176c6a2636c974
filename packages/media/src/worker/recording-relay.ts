import { frameSamples } from '../codec/frame.ts';
import type { FrameRecording } from '../recording/stereo-recording.ts';
import { type FrameNews, FrameReader, FrameWriter } from './shared-frames.ts';

/** Frames of each side that are told together: half a second. */
const framesTogether = 25;
/** For a reader that takes a seventh of a second; one that takes longer is given more. */
const places = 32;
const pairBytes = 2 * frameSamples;

/**
 * A recording that another thread writes down. It is told as it was heard, in the leg's encoding: half of what samples
 * would be, and the thread of the media has no time for them. A frame of the caller, one of the agent, and so on.
 */
export class RecordingRelay implements FrameRecording {
  readonly #tell: (news: FrameNews) => void;
  readonly #frames = new FrameWriter(places, pairBytes);

  constructor(tell: (news: FrameNews) => void) {
    this.#tell = tell;
  }

  write(caller: Uint8Array, agent: Uint8Array): void {
    if (this.#frames.isFull) {
      this.flush();
      this.#frames.grow();
    }
    this.#frames.write(0, caller, agent);
    if (this.#frames.untold === framesTogether) this.flush();
  }

  flush(): void {
    if (this.#frames.untold > 0) this.#tell(this.#frames.news());
  }
}

/** Writes down what another thread's relay tells. */
export class RecordingReplay {
  readonly #recording: FrameRecording;
  readonly #frames = new FrameReader(pairBytes);
  readonly #caller = this.#frames.frame.subarray(0, frameSamples);
  readonly #agent = this.#frames.frame.subarray(frameSamples);

  constructor(recording: FrameRecording) {
    this.#recording = recording;
  }

  replay(news: FrameNews): void {
    this.#frames.read(news, () => this.#recording.write(this.#caller, this.#agent));
  }
}
