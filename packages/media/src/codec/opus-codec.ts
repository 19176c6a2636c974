import { type LegEncoding, legAudio } from './leg-encoding.ts';
import { decodeSamples, encodeSamples } from './leg-samples.ts';
import type { SpeechDecoder, SpeechEncoder } from './speech-codec.ts';

/** The part of `@discordjs/opus` that is used here. */
export interface OpusLibrary {
  readonly OpusEncoder: new (
    rateHz: number,
    channels: number,
  ) => {
    encode(pcm: Buffer): Buffer;
    decode(packet: Buffer): Buffer;
    setBitrate(bitsPerSecond: number): void;
  };
}

const packageName = '@discordjs/opus';
/** Bit rate that suffices for speech of 8 kHz bandwidth. @see RFC 7587 §3.1.1 */
const bitsPerSecond = 24_000;

function isOpusLibrary(loaded: unknown): loaded is OpusLibrary {
  return typeof loaded === 'object' && loaded !== null && 'OpusEncoder' in loaded;
}

/** Returns the library if the host has installed it. */
export async function loadOpus(): Promise<OpusLibrary | null> {
  try {
    const loaded: unknown = await import(packageName);
    if (isOpusLibrary(loaded)) return loaded;
    const inner: unknown = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : null;
    return isOpusLibrary(inner) ? inner : null;
  } catch {
    return null;
  }
}

function bufferOf(bytes: Uint8Array | Int16Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Opus decodes to each of its rates, so that no resampling is needed. */
export function createOpusDecoder(library: OpusLibrary, encoding: LegEncoding): SpeechDecoder {
  const opus = new library.OpusEncoder(legAudio[encoding].sampleRateHz, 1);
  return {
    decode(payload) {
      if (payload.length === 0) return null;
      try {
        const pcm = opus.decode(bufferOf(payload));
        if (encoding === 'pcm16') return pcm;
        return encodeSamples(
          encoding,
          Int16Array.from({ length: pcm.length >> 1 }, (_, i) => pcm.readInt16LE(2 * i)),
        );
      } catch {
        return null;
      }
    },
  };
}

export function createOpusEncoder(library: OpusLibrary, encoding: LegEncoding): SpeechEncoder {
  const opus = new library.OpusEncoder(legAudio[encoding].sampleRateHz, 1);
  opus.setBitrate(bitsPerSecond);
  return { encode: (frame) => opus.encode(bufferOf(encoding === 'pcm16' ? frame : decodeSamples(encoding, frame))) };
}
