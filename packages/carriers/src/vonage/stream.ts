import { decodeG711, encodeG711, type LegEncoding, legAudio } from '@va/media';
import type { MediaStreamMessage, StreamProtocol, StreamStart } from '../shared/stream/stream-protocol.ts';
import { fieldsOf, type JsonFields, parsed, textOf } from '../shared/web/fields.ts';

/** Returns the content type of a stream with the sample rate of the leg, so that nothing is resampled. */
export function contentTypeOf(encoding: LegEncoding): string {
  return `audio/l16;rate=${legAudio[encoding].sampleRateHz}`;
}

/**
 * Parses the first message of a stream; null for any other message.
 *
 * @see https://developer.vonage.com/en/voice/voice-api/guides/websockets
 */
export function readStart(message: JsonFields): StreamStart | null {
  if (message.event !== 'websocket:connected') return null;
  const protocol = [narrowStream, wideStream].find(
    ({ encoding }) => message['content-type'] === contentTypeOf(encoding),
  );
  return protocol === undefined ? null : { callId: null, token: null, protocol };
}

/** The protocol of a stream: audio is binary, everything else JSON. */
const narrowStream: StreamProtocol = {
  encoding: 'pcmu',
  read: (data, isBinary) => (isBinary ? readAudio(data) : readMessage(parsed(String(data)) ?? {})),
  audio(frame) {
    const samples = decodeG711('pcmu', frame);
    return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  },
  mark: (name) => JSON.stringify({ action: 'notify', payload: { mark: name } }),
  clear: () => '{"action":"clear"}',
};

/** The protocol at 16 kHz, whose audio has the format of the leg. */
const wideStream: StreamProtocol = {
  ...narrowStream,
  encoding: 'pcm16',
  read(data, isBinary) {
    if (!isBinary) return narrowStream.read(data, false);
    const audio = data.subarray(0, data.length & ~1);
    return audio.length === 0 ? null : { type: 'audio', audio, timestampMs: null };
  },
  audio: (frame) => Uint8Array.from(frame),
};

/**
 * Parses binary audio: 16-bit samples in little-endian byte order, which must be that of the machine. Converts them to
 * μ-law, and drops an odd byte.
 */
function readAudio(data: Buffer): MediaStreamMessage | null {
  const samples = new Int16Array(data.length >> 1);
  if (samples.length === 0) return null;
  new Uint8Array(samples.buffer).set(data.subarray(0, samples.byteLength));
  return { type: 'audio', audio: encodeG711('pcmu', samples), timestampMs: null };
}

function readMessage(message: JsonFields): MediaStreamMessage | null {
  switch (message.event) {
    case 'websocket:dtmf': {
      const digit = textOf(message.digit);
      return digit === null ? null : { type: 'key', digit };
    }
    case 'websocket:notify': {
      const name = textOf(fieldsOf(message.payload).mark);
      return name === null ? null : { type: 'mark', name };
    }
    default:
      return null;
  }
}
