import type { AudioFormat } from './audio-format.ts';

/** The audio encodings that a call can use. */
export type CodecName = 'pcmu' | 'pcma' | 'g722' | 'opus';

export interface AudioCodec {
  readonly name: CodecName;
  /** As in `a=rtpmap`. */
  readonly encodingName: string;
  /** What timestamps count, which is not always the rate of the samples. */
  readonly clockRateHz: number;
  /** As in `a=rtpmap`; null where it is left out, which stands for one. */
  readonly channels: number | null;
  /** Used in our own offers: the number of the RTP/AVP profile where there is one. @see RFC 3551 §6 */
  readonly payloadType: number;
  /** What our descriptions say of it in `a=fmtp`. */
  readonly parameters: string | null;
  /** What the call is heard and spoken in, within the service. */
  readonly format: AudioFormat;
}

const pcmu: AudioFormat = { encoding: 'pcmu', sampleRateHz: 8_000 };
const pcma: AudioFormat = { encoding: 'pcma', sampleRateHz: 8_000 };
const plain = { clockRateHz: 8_000, channels: null, parameters: null };

export const audioCodecs: Readonly<Record<CodecName, AudioCodec>> = {
  pcmu: { ...plain, name: 'pcmu', encodingName: 'PCMU', payloadType: 0, format: pcmu },
  pcma: { ...plain, name: 'pcma', encodingName: 'PCMA', payloadType: 8, format: pcma },
  // Sampled at 16 kHz, but its clock rate is 8,000: an error of the first RFC that stayed (RFC 3551 §4.5.2).
  g722: { ...plain, name: 'g722', encodingName: 'G722', payloadType: 9, format: pcmu },
  // Always "opus/48000/2", whatever is sent (RFC 7587 §7). Only the telephone band of it is heard here.
  opus: {
    name: 'opus',
    encodingName: 'opus',
    clockRateHz: 48_000,
    channels: 2,
    payloadType: 96,
    parameters: 'maxplaybackrate=8000;sprop-maxcapturerate=8000',
    format: pcmu,
  },
};

/** The payload types of telephone-event in our own offers, by clock rate; an answer takes the number of the offer. */
export const telephoneEventPayloadTypes: ReadonlyMap<number, number> = new Map([
  [8_000, 101],
  [48_000, 102],
]);
