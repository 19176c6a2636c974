import type { AudioFormat } from '@va/core/adapter';

/** Formats that both of the vendor's services accept. */
export const formats: readonly AudioFormat[] = [
  { encoding: 'pcmu', sampleRateHz: 8_000 },
  { encoding: 'pcm16', sampleRateHz: 8_000 },
  { encoding: 'pcm16', sampleRateHz: 16_000 },
];

/** Returns the vendor's name of a format, such as `pcm_16000`. */
export function formatName({ encoding, sampleRateHz }: AudioFormat): string {
  return `${encoding === 'pcm16' ? 'pcm' : 'ulaw'}_${sampleRateHz}`;
}
