import { legAudio } from '@va/media';
import { readKey, readMark, readMedia, toBase64 } from '../shared/stream/base64-frames.ts';
import type { MediaStreamMessage, StreamProtocol, StreamStart } from '../shared/stream/stream-protocol.ts';
import { fieldsOf, type JsonFields, numberOf, parsed, textOf } from '../shared/web/fields.ts';
import { L16Samples } from './l16.ts';

/**
 * Parses the `start` message of a stream; null for any other message.
 *
 * @see https://developers.telnyx.com/docs/voice/programmable-voice/media-streaming
 */
export function readStart(message: JsonFields): StreamStart | null {
  if (message.event !== 'start') return null;
  const callId = textOf(fieldsOf(message.start).call_control_id);
  if (callId === null) return null;
  const { encoding, sample_rate: rateHz } = fieldsOf(fieldsOf(message.start).media_format);
  const isWide = encoding === 'L16' && numberOf(rateHz) === legAudio.pcm16.sampleRateHz;
  return { callId, token: null, protocol: isWide ? wideStream() : telnyxStream };
}

/** The protocol of a stream: JSON without a stream id. */
const telnyxStream: StreamProtocol = {
  encoding: 'pcmu',
  read: (data, isBinary) => (isBinary ? null : readMessage(parsed(String(data)) ?? {})),
  audio: (frame) => `{"event":"media","media":{"payload":"${toBase64(frame)}"}}`,
  mark: (name) => JSON.stringify({ event: 'mark', mark: { name } }),
  clear: () => '{"event":"clear"}',
};

/** The protocol with L16 at 16 kHz. */
function wideStream(): StreamProtocol {
  const samples = new L16Samples();
  return {
    ...telnyxStream,
    encoding: 'pcm16',
    read(data, isBinary) {
      const message = telnyxStream.read(data, isBinary);
      return message?.type === 'audio' ? { ...message, audio: samples.read(Buffer.from(message.audio)) } : message;
    },
    audio: (frame) => telnyxStream.audio(samples.write(frame)),
  };
}

function readMessage(message: JsonFields): MediaStreamMessage | null {
  switch (message.event) {
    case 'media': {
      const media = readMedia(message);
      const chunk = numberOf(fieldsOf(message.media).chunk);
      // Telnyx does not guarantee the order of chunks.
      return media === null || chunk === null ? media : { ...media, chunk };
    }
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
