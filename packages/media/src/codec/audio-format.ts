/** `pcmu` and `pcma` are G.711, one byte per sample (ITU-T G.711); `pcm16` is signed 16-bit little-endian mono. */
export type AudioEncoding = 'pcmu' | 'pcma' | 'pcm16';

export interface AudioFormat {
  readonly encoding: AudioEncoding;
  readonly sampleRateHz: number;
}
