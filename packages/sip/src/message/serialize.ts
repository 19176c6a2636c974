import type { SipMessage } from './message.ts';

const encoder = new TextEncoder();

/**
 * Prevents header injection: a value must not start a new line, whatever a name or display text from outside contains.
 */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

/** Serializes a message; Content-Length is always computed from the body. */
export function serializeMessage(message: SipMessage): Uint8Array {
  const first =
    message.kind === 'request'
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason}`;
  let head = `${oneLine(first)}\r\n`;
  for (const [name, value] of message.headers.entries()) {
    if (name.toLowerCase() !== 'content-length') head += `${name}: ${oneLine(value)}\r\n`;
  }
  const headBytes = encoder.encode(`${head}Content-Length: ${message.body.length}\r\n\r\n`);
  const bytes = new Uint8Array(headBytes.length + message.body.length);
  bytes.set(headBytes);
  bytes.set(message.body, headBytes.length);
  return bytes;
}
