import { readKey, readMark, readMedia, toBase64 } from '../shared/stream/base64-frames.ts';
import type { MediaStreamMessage, StreamProtocol, StreamStart } from '../shared/stream/stream-protocol.ts';
import { fieldsOf, type JsonFields, parsed, textOf } from '../shared/web/fields.ts';

/** Sub-protocol that Plivo may offer for its streams. */
export const subProtocol = 'audio.plivo.com';

/**
 * Parses the `start` message of a stream; null for any other message.
 *
 * @see https://www.plivo.com/docs/voice-agents/audio-streaming/concepts/audio-streaming-reference
 */
export function readStart(message: JsonFields): StreamStart | null {
  if (message.event !== 'start') return null;
  const start = fieldsOf(message.start);
  const streamId = textOf(start.streamId);
  const callId = textOf(start.callId);
  return streamId === null || callId === null ? null : { callId, token: null, protocol: plivoStream(streamId) };
}

/** The protocol of a stream. Plivo reports played checkpoints, but not cleared ones. */
function plivoStream(streamId: string): StreamProtocol {
  const audioHead = '{"event":"playAudio","media":{"contentType":"audio/x-mulaw","sampleRate":8000,"payload":"';
  return {
    encoding: 'pcmu',
    read: (data, isBinary) => (isBinary ? null : readMessage(parsed(String(data)) ?? {})),
    audio: (frame) => `${audioHead}${toBase64(frame)}"}}`,
    mark: (name) => JSON.stringify({ event: 'checkpoint', streamId, name }),
    clear: () => JSON.stringify({ event: 'clearAudio', streamId }),
    keys: (dtmf) => JSON.stringify({ event: 'sendDTMF', dtmf }),
  };
}

function readMessage(message: JsonFields): MediaStreamMessage | null {
  switch (message.event) {
    case 'media':
      return readMedia(message);
    case 'dtmf':
      return readKey(message);
    case 'playedStream':
      return readMark(message.name);
    case 'stop':
      return { type: 'stop' };
    default:
      return null;
  }
}
