import { decodeG711, encodeG711 } from '@va/media';
import type { StreamMessage, StreamProtocol, StreamStart } from '../shared/stream/stream-protocol.ts';
import { type Fields, fieldsOf, parsed, textOf } from '../shared/web/fields.ts';

/** The format that needs no resampling: telephone lines and the media plane have 8 kHz. */
export const contentType = 'audio/l16;rate=8000';

/**
 * Reads the first message of a stream; null for another one.
 *
 * @see https://developer.vonage.com/en/voice/voice-api/guides/websockets
 */
export function readStart(message: Fields): StreamStart | null {
  if (message.event !== 'websocket:connected' || message['content-type'] !== contentType) return null;
  return { callId: null, token: null, protocol: vonageStream };
}

/** The messages of a stream: audio is binary, everything else JSON. */
const vonageStream: StreamProtocol = {
  read: (data, isBinary) => (isBinary ? readAudio(data) : readMessage(parsed(String(data)) ?? {})),
  audio(frame) {
    const samples = decodeG711('pcmu', frame);
    return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  },
  mark: (name) => JSON.stringify({ action: 'notify', payload: { mark: name } }),
  clear: () => '{"action":"clear"}',
};

/** 16-bit samples, little-endian as the machine's; an odd byte is dropped. */
function readAudio(data: Buffer): StreamMessage | null {
  const samples = new Int16Array(data.length >> 1);
  if (samples.length === 0) return null;
  new Uint8Array(samples.buffer).set(data.subarray(0, samples.byteLength));
  return { type: 'audio', audio: encodeG711('pcmu', samples), timestampMs: null };
}

function readMessage(message: Fields): StreamMessage | null {
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
