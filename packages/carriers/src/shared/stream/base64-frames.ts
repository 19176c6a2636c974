import { type Fields, fieldsOf, numberOf, textOf } from '../web/fields.ts';
import type { StreamMessage } from './stream-protocol.ts';

/** Characters of a payload: 30 s of μ-law, the most that a carrier accepts in one message. */
const maxPayload = 320_000;

/** Reads the `media` field of Twilio, Telnyx and Plivo: base64 audio with its time. */
export function readMedia(message: Fields): Extract<StreamMessage, { type: 'audio' }> | null {
  const { payload, timestamp } = fieldsOf(message.media);
  const text = textOf(payload, maxPayload);
  if (text === null) return null;
  return { type: 'audio', audio: Buffer.from(text, 'base64'), timestampMs: numberOf(timestamp) };
}

/** Reads the `dtmf` field of the same carriers. */
export function readKey(message: Fields): StreamMessage | null {
  const digit = textOf(fieldsOf(message.dtmf).digit);
  return digit === null ? null : { type: 'key', digit };
}

/** Returns the mark of a name that the carrier sent; null for a malformed one. */
export function readMark(name: unknown): StreamMessage | null {
  const text = textOf(name);
  return text === null ? null : { type: 'mark', name: text };
}

export function toBase64(frame: Uint8Array): string {
  return Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength).toString('base64');
}
