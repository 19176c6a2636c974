import { VaError } from '../runtime/errors.ts';
import type { AudioFormat } from './audio-format.ts';
import { decodeFrame, sampleRateHz } from './frame.ts';
import { decodeG711, encodeG711, type G711Encoding } from './g711.ts';
import { createResampler } from './resampler.ts';

/**
 * Returns the provider's format with the cheapest conversion from the phone's format: the same one, then the other
 * G.711, then 8 kHz samples, then a multiple of 8 kHz.
 *
 * @throws VaError `unsupported_format` if none can be converted
 */
export function chooseFormat(formats: readonly AudioFormat[], leg: AudioFormat): AudioFormat {
  const cost = ({ encoding, sampleRateHz: rate }: AudioFormat): number => {
    if (rate % sampleRateHz !== 0 || (encoding !== 'pcm16' && rate !== sampleRateHz)) return Number.POSITIVE_INFINITY;
    if (encoding === 'pcm16') return 2 + rate / sampleRateHz;
    return encoding === leg.encoding ? 0 : 1;
  };
  const [best] = [...formats].sort((a, b) => cost(a) - cost(b));
  if (best === undefined || cost(best) === Number.POSITIVE_INFINITY) {
    const offered = formats.map(({ encoding, sampleRateHz: rate }) => `${encoding}/${rate}`).join(', ');
    throw new VaError(
      'unsupported_format',
      `Telephone audio (8 kHz) cannot be converted to or from any of: ${offered}.`,
    );
  }
  return best;
}

/**
 * Returns a function that converts the caller's frames to the recognizer's format. Equal formats pass through
 * unchanged.
 */
export function fromLeg(leg: G711Encoding, to: AudioFormat): (codes: Uint8Array) => Uint8Array {
  const { encoding } = to;
  if (encoding === leg) return (codes) => codes;
  if (encoding !== 'pcm16') return (codes) => encodeG711(encoding, decodeFrame(leg, codes));
  const resample = createResampler(sampleRateHz, to.sampleRateHz);
  return (codes) => {
    const converted = resample(decodeFrame(leg, codes));
    return new Uint8Array(converted.buffer, converted.byteOffset, converted.byteLength);
  };
}

/** Returns a function that converts a synthesizer's audio, in chunks of any length, to the phone's encoding. */
export function toLeg(from: AudioFormat, leg: G711Encoding): (audio: Uint8Array) => Uint8Array {
  const { encoding } = from;
  if (encoding === leg) return (audio) => audio;
  if (encoding !== 'pcm16') return (audio) => encodeG711(leg, decodeG711(encoding, audio));
  const resample = createResampler(from.sampleRateHz, sampleRateHz);
  let odd: Uint8Array = new Uint8Array(0);
  return (audio) => {
    // A chunk may end in the middle of a sample.
    const bytes = new Uint8Array(odd.length + audio.length);
    bytes.set(odd);
    bytes.set(audio, odd.length);
    const whole = bytes.length & ~1;
    odd = bytes.slice(whole);
    return encodeG711(leg, resample(new Int16Array(bytes.buffer, 0, whole / 2)));
  };
}
