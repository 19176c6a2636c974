import { sampleRateHz as defaultRateHz, frameSamples, NarrowDecoder } from '../codec/frame.ts';
import { type LegEncoding, legAudio } from '../codec/leg-encoding.ts';
import { interleaveSamples } from '../codec/leg-samples.ts';
import type { RecordingSink } from './recording-sink.ts';

/** Takes both sides of a call, one frame each at a time, in the leg's encoding. */
export interface FrameRecording {
  /** The frames are valid until it returns. */
  write(caller: Uint8Array, agent: Uint8Array): void;
}

/** Writes both sides as samples of a stereo recording, at the leg's rate if the sink supports it. */
export class StereoRecording implements FrameRecording {
  readonly #encoding: LegEncoding;
  readonly #sink: RecordingSink;
  readonly #samples: Int16Array;
  /** Conversion to 8 kHz; null if the sink supports the leg's rate. */
  readonly #narrow: { readonly caller: NarrowDecoder; readonly agent: NarrowDecoder } | null;

  constructor(encoding: LegEncoding, sink: RecordingSink) {
    this.#encoding = encoding;
    this.#sink = sink;
    const { sampleRateHz } = legAudio[encoding];
    if (sampleRateHz !== defaultRateHz) sink.setSampleRate?.(sampleRateHz);
    const isNarrowed = sampleRateHz !== defaultRateHz && sink.setSampleRate === undefined;
    this.#narrow = isNarrowed ? { caller: new NarrowDecoder(encoding), agent: new NarrowDecoder(encoding) } : null;
    this.#samples = new Int16Array(2 * (isNarrowed ? frameSamples : legAudio[encoding].frameSamples));
  }

  write(caller: Uint8Array, agent: Uint8Array): void {
    if (this.#narrow === null) this.#sink.write(interleaveSamples(this.#encoding, caller, agent, this.#samples));
    else this.#writeNarrow(this.#narrow.caller.decode(caller), this.#narrow.agent.decode(agent));
  }

  #writeNarrow(caller: Int16Array, agent: Int16Array): void {
    for (let i = 0; i < caller.length; i++) {
      this.#samples[2 * i] = caller[i] as number;
      this.#samples[2 * i + 1] = agent[i] as number;
    }
    this.#sink.write(this.#samples);
  }
}
