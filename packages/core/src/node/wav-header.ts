/** Channels and sample size of a call recording, and its rate unless the call has another one. */
export const recordingFormat = { channels: 2, sampleRateHz: 8_000, bytesPerSample: 2 } as const;

export const wavHeaderBytes = 44;

/**
 * Returns the header of a PCM WAV file with `dataBytes` of samples, by default in the format of a recording.
 * @see http://www-mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html
 */
export function wavHeader(
  dataBytes: number,
  sampleRateHz: number = recordingFormat.sampleRateHz,
  channels: number = recordingFormat.channels,
): Uint8Array {
  const { bytesPerSample } = recordingFormat;
  const header = new Uint8Array(wavHeaderBytes);
  const view = new DataView(header.buffer);
  const text = new TextEncoder();
  header.set(text.encode('RIFF'), 0);
  view.setUint32(4, 36 + dataBytes, true);
  header.set(text.encode('WAVEfmt '), 8);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * channels * bytesPerSample, true);
  view.setUint16(32, channels * bytesPerSample, true);
  view.setUint16(34, 8 * bytesPerSample, true);
  header.set(text.encode('data'), 36);
  view.setUint32(40, dataBytes, true);
  return header;
}

/** Returns the rate in a header; null if the bytes are no header of a recording. */
export function sampleRateOf(header: Uint8Array): number | null {
  if (header.length < wavHeaderBytes || !header.subarray(8, 12).every((byte, i) => byte === 'WAVE'.charCodeAt(i))) {
    return null;
  }
  return new DataView(header.buffer, header.byteOffset).getUint32(24, true);
}
