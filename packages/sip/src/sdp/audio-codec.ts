import type { AudioFormat } from '@va/core';

/** The audio encodings that a call can use. */
export type CodecName = 'pcmu' | 'pcma';

export interface AudioCodec {
  readonly name: CodecName;
  /** As in `a=rtpmap`. */
  readonly encodingName: string;
  readonly clockRateHz: number;
  /** The number of the RTP/AVP profile, used in our own offers. @see RFC 3551 §6 */
  readonly payloadType: number;
  readonly format: AudioFormat;
}

function g711(name: CodecName, payloadType: number): AudioCodec {
  const format: AudioFormat = { encoding: name, sampleRateHz: 8_000 };
  return { name, encodingName: name.toUpperCase(), clockRateHz: 8_000, payloadType, format };
}

export const audioCodecs: Readonly<Record<CodecName, AudioCodec>> = { pcmu: g711('pcmu', 0), pcma: g711('pcma', 8) };

/** The payload type of telephone-event in our own offers; an answer takes the number of the offer. */
export const telephoneEventPayloadType = 101;
