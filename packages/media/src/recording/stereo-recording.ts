import { frameSamples } from '../codec/frame.ts';
import { type G711Encoding, interleaveG711 } from '../codec/g711.ts';
import type { RecordingSink } from './recording-sink.ts';

/** Takes both sides of a call, one frame each at a time, in the leg's encoding. */
export interface FrameRecording {
  /** The frames are valid until it returns. */
  write(caller: Uint8Array, agent: Uint8Array): void;
}

/** Writes both sides as samples of a stereo recording. */
export class StereoRecording implements FrameRecording {
  readonly #encoding: G711Encoding;
  readonly #sink: RecordingSink;
  readonly #samples = new Int16Array(2 * frameSamples);

  constructor(encoding: G711Encoding, sink: RecordingSink) {
    this.#encoding = encoding;
    this.#sink = sink;
  }

  write(caller: Uint8Array, agent: Uint8Array): void {
    this.#sink.write(interleaveG711(this.#encoding, caller, agent, this.#samples));
  }
}
