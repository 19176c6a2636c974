import { headerBytes } from '../protocol/messages.ts';

/** First byte of an unfragmented message. */
const firstByte = { text: 0x81, binary: 0x82 } as const;
/** Maximum length that the second byte encodes itself. */
const maxByte = 125;
/** Values of the second byte if the length follows in two or eight bytes. */
const inTwoBytes = 126;
const inEightBytes = 127;

/** Returns a server's WebSocket message with a sequence number and 20 ms of audio. */
export function audioMessage(sequence: number, frame: Uint8Array): Buffer {
  const { message, start } = emptyMessage('binary', headerBytes + frame.length);
  message.writeUInt32BE(sequence % 2 ** 32, start);
  message.set(frame, start + headerBytes);
  return message;
}

/** Returns a server's WebSocket message with a text. */
export function textMessage(text: string): Buffer {
  const { message, start } = emptyMessage('text', Buffer.byteLength(text));
  message.write(text, start);
  return message;
}

/** @see RFC 6455 §5.2 */
function emptyMessage(type: keyof typeof firstByte, length: number): { message: Buffer; start: number } {
  const start = length <= maxByte ? 2 : length < 2 ** 16 ? 4 : 10;
  const message = Buffer.allocUnsafe(start + length);
  message[0] = firstByte[type];
  message[1] = start === 2 ? length : start === 4 ? inTwoBytes : inEightBytes;
  if (start === 4) message.writeUInt16BE(length, 2);
  if (start === 10) message.writeBigUInt64BE(BigInt(length), 2);
  return { message, start };
}
