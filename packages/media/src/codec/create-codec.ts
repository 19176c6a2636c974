import type { CodecName } from './audio-codec.ts';
import { createG711Codec } from './g711-codec.ts';
import { createG722Decoder, createG722Encoder } from './g722-codec.ts';
import type { LegEncoding } from './leg-encoding.ts';
import { createOpusDecoder, createOpusEncoder, type OpusLibrary } from './opus-codec.ts';
import type { SpeechDecoder, SpeechEncoder } from './speech-codec.ts';

/** Returns null for Opus if its library is not installed. */
export function createDecoder(name: CodecName, within: LegEncoding, opus: OpusLibrary | null): SpeechDecoder | null {
  if (name === 'g722') return createG722Decoder(within);
  if (name === 'opus') return opus && createOpusDecoder(opus, within);
  return createG711Codec(name, within);
}

/** Returns null for Opus if its library is not installed. */
export function createEncoder(name: CodecName, within: LegEncoding, opus: OpusLibrary | null): SpeechEncoder | null {
  if (name === 'g722') return createG722Encoder(within);
  if (name === 'opus') return opus && createOpusEncoder(opus, within);
  return createG711Codec(name, within);
}
