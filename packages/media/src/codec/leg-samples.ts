import { decodeG711, encodeG711, interleaveG711 } from './g711.ts';
import { type LegEncoding, legAudio } from './leg-encoding.ts';

/** Decodes a leg's audio into `into` and returns it. */
export function decodeSamples(
  encoding: LegEncoding,
  audio: Uint8Array,
  into: Int16Array = new Int16Array(audio.length / legAudio[encoding].bytesPerSample),
): Int16Array {
  if (encoding !== 'pcm16') return decodeG711(encoding, audio, into);
  // Reads bytes, because the audio may begin at an odd address.
  for (let i = 0; i < into.length; i++) into[i] = (audio[2 * i] as number) | ((audio[2 * i + 1] as number) << 8);
  return into;
}

/** Encodes samples of a leg's rate into `into` and returns it. */
export function encodeSamples(
  encoding: LegEncoding,
  samples: Int16Array,
  into: Uint8Array = new Uint8Array(samples.length * legAudio[encoding].bytesPerSample),
): Uint8Array {
  if (encoding !== 'pcm16') return encodeG711(encoding, samples, into);
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i] as number;
    into[2 * i] = sample;
    into[2 * i + 1] = sample >> 8;
  }
  return into;
}

/** Interleaves two channels of a leg's audio, of equal length, into stereo samples; returns them. */
export function interleaveSamples(
  encoding: LegEncoding,
  left: Uint8Array,
  right: Uint8Array,
  into: Int16Array,
): Int16Array {
  if (encoding !== 'pcm16') return interleaveG711(encoding, left, right, into);
  for (let i = 0; i < left.length; i += 2) {
    into[i] = (left[i] as number) | ((left[i + 1] as number) << 8);
    into[i + 1] = (right[i] as number) | ((right[i + 1] as number) << 8);
  }
  return into;
}
