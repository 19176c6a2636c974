import { type G711Encoding, g711Silence } from '../../audio/g711.ts';
import { frameSamples } from '../frame.ts';
import type { FrameRecording } from '../stereo-recording.ts';

/** Frames of each side that are told together: half a second. */
const framesTogether = 25;
const togetherBytes = framesTogether * 2 * frameSamples;

/**
 * A recording that another thread writes down. It is told as it was heard, in the leg's encoding: half of what samples
 * would be, and the thread of the media has no time for them. A frame of the caller, one of the agent, and so on.
 */
export class RecordingRelay implements FrameRecording {
  readonly #silence: Uint8Array;
  readonly #tell: (frames: Uint8Array) => void;
  /** The call's own for good: buffers that live for half a second would each be garbage of the old generation. */
  readonly #together = new Uint8Array(togetherBytes);
  #filled = 0;

  constructor(encoding: G711Encoding, tell: (frames: Uint8Array) => void) {
    this.#silence = new Uint8Array(frameSamples).fill(g711Silence[encoding]);
    this.#tell = tell;
  }

  write(caller: Uint8Array, agent: Uint8Array): void {
    this.#together.set(caller, this.#filled);
    this.#together.set(agent, this.#filled + frameSamples);
    this.#filled += 2 * frameSamples;
    if (this.#filled === togetherBytes) this.flush();
  }

  writeSilence(): void {
    this.write(this.#silence, this.#silence);
  }

  flush(): void {
    if (this.#filled === 0) return;
    const frames = this.#together.slice(0, this.#filled);
    this.#filled = 0;
    this.#tell(frames);
  }

  /** Writes down what another thread's relay has told. */
  static replay(frames: Uint8Array, recording: FrameRecording): void {
    for (let at = 0; at < frames.length; at += 2 * frameSamples) {
      const agentAt = at + frameSamples;
      recording.write(frames.subarray(at, agentAt), frames.subarray(agentAt, agentAt + frameSamples));
    }
  }
}
