import { fieldsOf, type JsonFields, numberOf, textOf } from '../web/fields.ts';
import type { MediaStreamMessage } from './stream-protocol.ts';

/** Maximum number of characters of a payload: 30 s of μ-law, the limit of carriers for one message. */
const maxPayload = 320_000;

/** Parses the `media` field of Twilio, Telnyx and Plivo: base64 audio with a timestamp. */
export function readMedia(message: JsonFields): Extract<MediaStreamMessage, { type: 'audio' }> | null {
  const { payload, timestamp } = fieldsOf(message.media);
  const text = textOf(payload, maxPayload);
  if (text === null) return null;
  return { type: 'audio', audio: Buffer.from(text, 'base64'), timestampMs: numberOf(timestamp) };
}

/** Parses the `dtmf` field of the same carriers. */
export function readKey(message: JsonFields): MediaStreamMessage | null {
  const digit = textOf(fieldsOf(message.dtmf).digit);
  return digit === null ? null : { type: 'key', digit };
}

/** Returns the mark with a name; null if the name is malformed. */
export function readMark(name: unknown): MediaStreamMessage | null {
  const text = textOf(name);
  return text === null ? null : { type: 'mark', name: text };
}

export function toBase64(frame: Uint8Array): string {
  return Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength).toString('base64');
}
