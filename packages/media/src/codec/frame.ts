import { decodeG711, type G711Encoding, g711Silence } from './g711.ts';

/** Unit of telephone audio: 20 ms at 8 kHz. */
export const sampleRateHz = 8_000;
export const frameMs = 20;
export const frameSamples = 160;

/** A silent frame. Read only. */
export const silentFrames: Readonly<Record<G711Encoding, Uint8Array>> = {
  pcmu: new Uint8Array(frameSamples).fill(g711Silence.pcmu),
  pcma: new Uint8Array(frameSamples).fill(g711Silence.pcma),
};

/** Shared by all calls of the thread, so that it stays in the processor's cache. */
const decoded = new Int16Array(frameSamples);

/**
 * Returns the samples of a frame. The buffer is valid until the next frame of any call of the thread is decoded; frames
 * of other lengths get their own buffer.
 */
export function decodeFrame(encoding: G711Encoding, codes: Uint8Array): Int16Array {
  return codes.length === frameSamples ? decodeG711(encoding, codes, decoded) : decodeG711(encoding, codes);
}
