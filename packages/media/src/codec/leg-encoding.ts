import { VaError } from '../runtime/errors.ts';
import type { AudioFormat } from './audio-format.ts';
import type { G711Encoding } from './g711.ts';

/** Encoding of a leg's frames: G.711 at 8 kHz, or signed 16-bit little-endian samples at 16 kHz. */
export type LegEncoding = G711Encoding | 'pcm16';

/** Rate and sizes of a leg's audio. */
export interface LegAudio {
  readonly sampleRateHz: number;
  readonly bytesPerSample: number;
  readonly bytesPerMs: number;
  /** Number of samples of a frame of 20 ms. */
  readonly frameSamples: number;
  readonly frameBytes: number;
  /** Byte of which silence consists. */
  readonly silence: number;
}

const narrow = { sampleRateHz: 8_000, bytesPerSample: 1, bytesPerMs: 8, frameSamples: 160, frameBytes: 160 };

export const legAudio: Readonly<Record<LegEncoding, LegAudio>> = {
  pcmu: { ...narrow, silence: 0xff },
  pcma: { ...narrow, silence: 0xd5 },
  pcm16: { sampleRateHz: 16_000, bytesPerSample: 2, bytesPerMs: 32, frameSamples: 320, frameBytes: 640, silence: 0 },
};

/** @throws VaError `unsupported_format` */
export function encodingOf({ encoding, sampleRateHz }: AudioFormat): LegEncoding {
  if (sampleRateHz === legAudio[encoding].sampleRateHz) return encoding;
  const message = `A leg carries G.711 at 8 kHz or pcm16 at 16 kHz, not ${encoding} at ${sampleRateHz} Hz.`;
  throw new VaError('unsupported_format', message);
}

export function formatOf(encoding: LegEncoding): AudioFormat {
  return { encoding, sampleRateHz: legAudio[encoding].sampleRateHz };
}
