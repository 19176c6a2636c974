// Samples are copied in the byte order of this machine, which must be little-endian as in WAV files.
const headerBytes = 44;

/** Builds a 16-bit WAV file, by default 8 kHz mono; the samples of channels are interleaved. */
export function toWav(pcm: Int16Array, rateHz = 8_000, channels = 1): Uint8Array {
  const bytes = Buffer.alloc(headerBytes + pcm.length * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(channels, 22);
  bytes.writeUInt32LE(rateHz, 24);
  bytes.writeUInt32LE(rateHz * channels * 2, 28);
  bytes.writeUInt16LE(channels * 2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(pcm.length * 2, 40);
  bytes.set(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength), headerBytes);
  return bytes;
}

/** Reads the samples of a 16-bit WAV file, whatever other chunks it has. They may be a view of the file. */
export function fromWav(bytes: Buffer): Int16Array {
  const data = bytes.indexOf('data');
  const start = data === -1 ? bytes.length : data + 8;
  const count = Math.floor((bytes.length - start) / 2);
  const at = bytes.byteOffset + start;
  if (at % 2 === 0) return new Int16Array(bytes.buffer, at, count);
  // Copied, because samples must begin at an even offset.
  return new Int16Array(new Uint8Array(bytes.subarray(start, start + 2 * count)).buffer);
}
