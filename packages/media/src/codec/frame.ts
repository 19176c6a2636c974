import { decodeG711, type G711Encoding, g711Silence } from './g711.ts';

/** The unit of telephone audio: 20 ms at 8 kHz. */
export const sampleRateHz = 8_000;
export const frameMs = 20;
export const frameSamples = 160;

/** A frame in which nothing is heard. To be read only. */
export const silentFrames: Readonly<Record<G711Encoding, Uint8Array>> = {
  pcmu: new Uint8Array(frameSamples).fill(g711Silence.pcmu),
  pcma: new Uint8Array(frameSamples).fill(g711Silence.pcma),
};

/** Used by all calls of the thread in turn, so that it stays in the processor's cache. */
const decoded = new Int16Array(frameSamples);

/**
 * The samples of a frame, good until the next one is decoded in any call of the thread; those of other lengths are
 * their own.
 */
export function decodeFrame(encoding: G711Encoding, codes: Uint8Array): Int16Array {
  return codes.length === frameSamples ? decodeG711(encoding, codes, decoded) : decodeG711(encoding, codes);
}
