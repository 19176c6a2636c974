import { readKey, readMark, readMedia, toBase64 } from '../shared/stream/base64-frames.ts';
import type { MediaStreamMessage, StreamProtocol, StreamStart } from '../shared/stream/stream-protocol.ts';
import { fieldsOf, type JsonFields, parsed, textOf } from '../shared/web/fields.ts';

/**
 * Parses the `start` message of a stream; null for any other message.
 *
 * @see https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
export function readStart(message: JsonFields): StreamStart | null {
  if (message.event !== 'start') return null;
  const start = fieldsOf(message.start);
  const streamSid = textOf(message.streamSid);
  const callId = textOf(start.callSid);
  if (streamSid === null || callId === null) return null;
  return { callId, token: textOf(fieldsOf(start.customParameters).token), protocol: twilioStream(streamSid) };
}

/** The protocol of a stream: JSON. Each message of the service carries the SID of the stream. */
function twilioStream(streamSid: string): StreamProtocol {
  const mediaHead = `{"event":"media","streamSid":${JSON.stringify(streamSid)},"media":{"payload":"`;
  return {
    encoding: 'pcmu',
    read: (data, isBinary) => (isBinary ? null : readMessage(parsed(String(data)) ?? {})),
    audio: (frame) => `${mediaHead}${toBase64(frame)}"}}`,
    mark: (name) => JSON.stringify({ event: 'mark', streamSid, mark: { name } }),
    clear: () => JSON.stringify({ event: 'clear', streamSid }),
  };
}

function readMessage(message: JsonFields): MediaStreamMessage | null {
  switch (message.event) {
    case 'media':
      return readMedia(message);
    case 'dtmf':
      return readKey(message);
    case 'mark':
      return readMark(fieldsOf(message.mark).name);
    case 'stop':
      return { type: 'stop' };
    default:
      return null;
  }
}
