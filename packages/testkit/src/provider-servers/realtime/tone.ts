import { encodeG711 } from '@va/media';

const frequencyHz = 440;

/** Format of the audio of a spoken reply. */
export interface ToneFormat {
  readonly encoding: 'pcmu' | 'pcma' | 'pcm16';
  readonly sampleRateHz: number;
}

/** Returns the number of bytes of one millisecond of audio. */
export function bytesPerMs({ encoding, sampleRateHz }: ToneFormat): number {
  return (sampleRateHz / 1_000) * (encoding === 'pcm16' ? 2 : 1);
}

/** Returns a tone of 440 Hz in the given format. */
export function tone({ encoding, sampleRateHz }: ToneFormat, durationMs: number): Uint8Array {
  const samples = Int16Array.from({ length: (durationMs * sampleRateHz) / 1_000 }, (_, at) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * frequencyHz * at) / sampleRateHz)),
  );
  if (encoding !== 'pcm16') return encodeG711(encoding, samples);
  const bytes = Buffer.alloc(samples.length * 2);
  for (const [at, sample] of samples.entries()) bytes.writeInt16LE(sample, at * 2);
  return bytes;
}
