import type { AudioFormat } from './audio-format.ts';

/** Audio encodings of a call. */
export type CodecName = 'pcmu' | 'pcma' | 'g722' | 'opus';

/** A codec, with its names and rates in SDP. */
export interface AudioCodec {
  readonly name: CodecName;
  /** Encoding name in `a=rtpmap`. */
  readonly encodingName: string;
  /** Clock rate of RTP timestamps, in Hz; may differ from the sample rate. */
  readonly clockRateHz: number;
  /** Channel parameter of `a=rtpmap`; null if it is omitted, which means one. */
  readonly channels: number | null;
  /** Payload type in our own offers: the static one of the RTP/AVP profile, if there is one. @see RFC 3551 §6 */
  readonly payloadType: number;
  /** Parameters in `a=fmtp` of our descriptions. */
  readonly parameters: string | null;
  /** Format of the frames of a leg whose first negotiated codec this is. */
  readonly format: AudioFormat;
}

const pcmu: AudioFormat = { encoding: 'pcmu', sampleRateHz: 8_000 };
const pcma: AudioFormat = { encoding: 'pcma', sampleRateHz: 8_000 };
const wide: AudioFormat = { encoding: 'pcm16', sampleRateHz: 16_000 };
const plain = { clockRateHz: 8_000, channels: null, parameters: null };

export const audioCodecs: Readonly<Record<CodecName, AudioCodec>> = {
  pcmu: { ...plain, name: 'pcmu', encodingName: 'PCMU', payloadType: 0, format: pcmu },
  pcma: { ...plain, name: 'pcma', encodingName: 'PCMA', payloadType: 8, format: pcma },
  // Sampled at 16 kHz, but with a clock rate of 8,000: an error of the first RFC that was kept (RFC 3551 §4.5.2).
  g722: { ...plain, name: 'g722', encodingName: 'G722', payloadType: 9, format: wide },
  // Always "opus/48000/2", whatever is sent (RFC 7587 §7). Wideband is decoded here.
  opus: {
    name: 'opus',
    encodingName: 'opus',
    clockRateHz: 48_000,
    channels: 2,
    payloadType: 96,
    parameters: 'maxplaybackrate=16000;sprop-maxcapturerate=16000',
    format: wide,
  },
};

/** Payload types of telephone-event in our own offers, by clock rate; an answer uses the number of the offer. */
export const telephoneEventPayloadTypes: ReadonlyMap<number, number> = new Map([
  [8_000, 101],
  [48_000, 102],
]);
