/** Layout of the samples of a 16-bit PCM WAV file. */
export interface WavFormat {
  readonly channels: number;
  readonly sampleRateHz: number;
  /** Offset of the first sample in bytes. */
  readonly dataStart: number;
  /** Bytes of whole frames that are present. */
  readonly dataBytes: number;
}

const pcm = 1;
const extensible = 0xfffe;

/**
 * Parses the beginning of a WAV file; returns null unless it is 16-bit PCM. The header announces no samples while the
 * recording is written, and too many in a truncated copy: then the file size decides.
 *
 * @param head the first bytes of the file, with all chunks before the samples
 * @param byteLength size of the whole file
 * @see http://www-mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html
 */
export function parseWavFormat(head: Uint8Array, byteLength: number): WavFormat | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const nameAt = (offset: number): string => String.fromCharCode(...head.subarray(offset, offset + 4));
  if (head.byteLength < 12 || nameAt(0) !== 'RIFF' || nameAt(8) !== 'WAVE') return null;
  let format: Omit<WavFormat, 'dataStart' | 'dataBytes'> | null = null;
  for (let offset = 12; offset + 8 <= head.byteLength; ) {
    const size = view.getUint32(offset + 4, true);
    const start = offset + 8;
    if (nameAt(offset) === 'data') return format === null ? null : withData(format, start, size, byteLength);
    if (nameAt(offset) === 'fmt ') format = parseFormat(view, start);
    // Chunks are padded to an even size.
    offset = start + size + (size % 2);
  }
  return null;
}

function parseFormat(view: DataView, start: number): Omit<WavFormat, 'dataStart' | 'dataBytes'> | null {
  if (start + 16 > view.byteLength) return null;
  const tag = view.getUint16(start, true);
  const channels = view.getUint16(start + 2, true);
  const sampleRateHz = view.getUint32(start + 4, true);
  const is16Bit = view.getUint16(start + 14, true) === 16 && view.getUint16(start + 12, true) === channels * 2;
  const isKnown = (tag === pcm || tag === extensible) && is16Bit;
  return isKnown && channels >= 1 && channels <= 2 && sampleRateHz > 0 ? { channels, sampleRateHz } : null;
}

function withData(
  format: Omit<WavFormat, 'dataStart' | 'dataBytes'>,
  dataStart: number,
  announced: number,
  byteLength: number,
): WavFormat {
  const present = Math.max(0, byteLength - dataStart);
  const bytes = announced === 0 ? present : Math.min(announced, present);
  return { ...format, dataStart, dataBytes: bytes - (bytes % (format.channels * 2)) };
}
