import { decodeG711, g711Silence } from './g711.ts';
import { HalfBandFilter } from './half-band.ts';
import { type LegEncoding, legAudio } from './leg-encoding.ts';
import { decodeSamples } from './leg-samples.ts';

/** Sample rate of G.711 and of the detectors' input, in Hz. */
export const sampleRateHz = 8_000;
/** Duration of a frame in milliseconds. */
export const frameMs = 20;
/** Number of samples of a frame at 8 kHz. */
export const frameSamples = 160;

/** A silent frame of each encoding. Must not be changed. */
export const silentFrames: Readonly<Record<LegEncoding, Uint8Array>> = {
  pcmu: new Uint8Array(legAudio.pcmu.frameBytes).fill(g711Silence.pcmu),
  pcma: new Uint8Array(legAudio.pcma.frameBytes).fill(g711Silence.pcma),
  pcm16: new Uint8Array(legAudio.pcm16.frameBytes),
};

/** Buffers shared by all calls of the thread, so that they stay in the processor's cache. */
const narrow = new Int16Array(frameSamples);
const wide = new Int16Array(legAudio.pcm16.frameSamples);

/**
 * Returns the samples of a frame at the leg's rate. The buffer is valid until the next frame of any call of the thread
 * is decoded; frames of other lengths get their own buffer.
 */
export function decodeFrame(encoding: LegEncoding, frame: Uint8Array): Int16Array {
  if (encoding === 'pcm16') {
    return frame.length === legAudio.pcm16.frameBytes
      ? decodeSamples(encoding, frame, wide)
      : decodeSamples(encoding, frame);
  }
  return frame.length === frameSamples ? decodeG711(encoding, frame, narrow) : decodeG711(encoding, frame);
}

/** Decodes the frames of one leg to 8 kHz, for detectors that work in the telephone band. */
export class NarrowDecoder {
  readonly #encoding: LegEncoding;
  /** Filter that halves the rate; null for a leg of 8 kHz. */
  readonly #filter: HalfBandFilter | null;

  constructor(encoding: LegEncoding) {
    this.#encoding = encoding;
    this.#filter = encoding === 'pcm16' ? new HalfBandFilter(legAudio[encoding].frameSamples) : null;
  }

  /** Returns the samples of a whole frame, valid until the next one of this leg or, for G.711, of any leg. */
  decode(frame: Uint8Array): Int16Array {
    const samples = decodeFrame(this.#encoding, frame);
    return this.#filter === null ? samples : this.#filter.halve(samples);
  }
}
