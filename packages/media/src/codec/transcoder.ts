import { VaError } from '../runtime/errors.ts';
import type { AudioFormat } from './audio-format.ts';
import { decodeFrame } from './frame.ts';
import { encodeG711 } from './g711.ts';
import { encodingOf, type LegEncoding, legAudio } from './leg-encoding.ts';
import { decodeSamples, encodeSamples } from './leg-samples.ts';
import { createResampler } from './resampler.ts';

/** Cost added for a format with less than the leg's bandwidth, so that any other one is preferred. */
const narrower = 100;

/**
 * Returns the provider's format with the cheapest conversion from the leg's format, without a loss of bandwidth if
 * possible: for G.711 the same one, then the other G.711, then 8 kHz samples, then a multiple of 8 kHz; for 16 kHz the
 * same one, then a higher rate, then 8 kHz.
 *
 * @throws VaError `unsupported_format` if none can be converted
 */
export function chooseFormat(formats: readonly AudioFormat[], leg: AudioFormat): AudioFormat {
  const legEncoding = encodingOf(leg);
  const [best] = [...formats].sort((a, b) => costOf(a, legEncoding) - costOf(b, legEncoding));
  if (best === undefined || costOf(best, legEncoding) === Number.POSITIVE_INFINITY) {
    const offered = formats.map(({ encoding, sampleRateHz: rate }) => `${encoding}/${rate}`).join(', ');
    throw new VaError(
      'unsupported_format',
      `Audio of ${leg.sampleRateHz / 1_000} kHz cannot be converted to or from any of: ${offered}.`,
    );
  }
  return best;
}

function costOf({ encoding, sampleRateHz }: AudioFormat, leg: LegEncoding): number {
  const isG711 = encoding !== 'pcm16';
  if (sampleRateHz % legAudio.pcmu.sampleRateHz !== 0 || (isG711 && sampleRateHz !== legAudio[encoding].sampleRateHz)) {
    return Number.POSITIVE_INFINITY;
  }
  const legRateHz = legAudio[leg].sampleRateHz;
  const loss = sampleRateHz < legRateHz ? narrower : 0;
  if (!isG711) return loss + (sampleRateHz === legRateHz && leg === encoding ? 0 : 2 + sampleRateHz / legRateHz);
  return loss + (encoding === leg ? 0 : leg === 'pcm16' ? 3 : 1);
}

/**
 * Returns a function that converts the caller's frames to the recognizer's format. Equal formats pass through
 * unchanged.
 */
export function fromLeg(leg: LegEncoding, to: AudioFormat): (frame: Uint8Array) => Uint8Array {
  const { encoding } = to;
  const legRateHz = legAudio[leg].sampleRateHz;
  if (encoding === leg && to.sampleRateHz === legRateHz) return (frame) => frame;
  const resample = createResampler(legRateHz, to.sampleRateHz);
  if (encoding !== 'pcm16') return (frame) => encodeG711(encoding, resample(decodeFrame(leg, frame)));
  return (frame) => {
    const converted = resample(decodeFrame(leg, frame));
    return new Uint8Array(converted.buffer, converted.byteOffset, converted.byteLength);
  };
}

/** Returns a function that converts a synthesizer's audio, in chunks of any length, to the leg's encoding. */
export function toLeg(from: AudioFormat, leg: LegEncoding): (audio: Uint8Array) => Uint8Array {
  const { encoding, sampleRateHz } = from;
  const legRateHz = legAudio[leg].sampleRateHz;
  if (encoding === leg && sampleRateHz === legRateHz) return encoding === 'pcm16' ? wholeSamples() : (audio) => audio;
  const resample = createResampler(sampleRateHz, legRateHz);
  if (encoding !== 'pcm16') return (audio) => encodeSamples(leg, resample(decodeSamples(encoding, audio)));
  const whole = wholeSamples();
  return (audio) => encodeSamples(leg, resample(decodeSamples('pcm16', whole(audio))));
}

/**
 * Returns a function that passes on whole 16-bit samples. A chunk may end within a sample: its first byte is then kept
 * for the next chunk.
 */
function wholeSamples(): (audio: Uint8Array) => Uint8Array {
  let odd: Uint8Array = new Uint8Array(0);
  return (audio) => {
    if (odd.length === 0 && audio.length % 2 === 0) return audio;
    const bytes = new Uint8Array(odd.length + audio.length);
    bytes.set(odd);
    bytes.set(audio, odd.length);
    const whole = bytes.length & ~1;
    odd = bytes.slice(whole);
    return bytes.subarray(0, whole);
  };
}
