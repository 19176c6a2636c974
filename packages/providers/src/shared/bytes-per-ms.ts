import type { AudioFormat } from '@va/core/adapter';

/** Returns the bytes of a millisecond of audio in this format. */
export function bytesPerMs({ encoding, sampleRateHz }: AudioFormat): number {
  return (sampleRateHz / 1_000) * (encoding === 'pcm16' ? 2 : 1);
}
