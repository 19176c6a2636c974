const pcmSilence = 100;

/** The format that a client has requested. */
export interface SoundFormat {
  readonly encoding: string;
  readonly sampleRateHz: number;
}

/** Reads the audio format from the query of a connection. Default: `linear16` at 8,000 Hz. */
export function formatOf(query: URLSearchParams): SoundFormat {
  return {
    encoding: query.get('encoding') ?? 'linear16',
    sampleRateHz: Number(query.get('sample_rate') ?? 8_000),
  };
}

function bytesPerMs({ encoding, sampleRateHz }: SoundFormat): number {
  return (sampleRateHz / 1_000) * (encoding === 'linear16' ? 2 : 1);
}

/** Returns the duration of audio in milliseconds. */
export function durationMs(audio: Uint8Array, format: SoundFormat): number {
  return audio.length / bytesPerMs(format);
}

/** Returns the duration of the audio that is not silence, in milliseconds. */
export function soundMs(audio: Uint8Array, format: SoundFormat): number {
  if (format.encoding !== 'linear16') {
    const silence = format.encoding === 'alaw' ? [0xd5, 0x55] : [0xff, 0x7f];
    return audio.reduce((count, code) => count + (silence.includes(code) ? 0 : 1), 0) / bytesPerMs(format);
  }
  const view = new DataView(audio.buffer, audio.byteOffset, audio.byteLength);
  let samples = 0;
  for (let at = 0; at + 1 < audio.length; at += 2) if (Math.abs(view.getInt16(at, true)) > pcmSilence) samples++;
  return (samples * 2) / bytesPerMs(format);
}
