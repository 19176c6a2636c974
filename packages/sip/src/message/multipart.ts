import { SipHeaders } from './headers.ts';
import type { SipMessage } from './message.ts';
import { parseParams } from './tokens.ts';

interface BodyPart {
  readonly headers: SipHeaders;
  readonly body: Uint8Array;
}

const sdpType = 'application/sdp';
/** Maximum number of parts of a body, nested ones included; a body with more is left as it is. */
const maxParts = 10;
const maxDepth = 3;

/**
 * Replaces a `multipart/mixed` or `multipart/alternative` body by its session description, so that the rest of the
 * stack deals with plain SDP only. Parts of other types are ignored. If one of them demands `handling=required`, the
 * message is left as it is and later rejected for its content type.
 * @see RFC 5621 §3, §4, RFC 2046 §5.1
 */
export function withDescription<M extends SipMessage>(message: M): M {
  if (message.body.length === 0 || !isMultipart(typeOf(message.headers))) return message;
  const found = descriptionIn({ headers: message.headers, body: message.body }, { left: maxParts }, 1);
  if (found === null || found === 'refused') return message;
  const headers = SipHeaders.of(message.headers.entries()).set('Content-Type', sdpType);
  headers.set('Content-Length', String(found.length));
  return { ...message, headers, body: found, wholeBody: message.body };
}

/** Bytes of the description; null if there is none, `refused` if a required part is not supported. */
function descriptionIn(whole: BodyPart, budget: { left: number }, depth: number): Uint8Array | null | 'refused' {
  const parts = depth > maxDepth ? null : split(whole, budget);
  if (parts === null) return 'refused';
  const isAlternative = typeOf(whole.headers) === 'multipart/alternative';
  let found: Uint8Array | null = null;
  for (const part of parts) {
    const type = typeOf(part.headers);
    const { name, handling } = dispositionOf(part.headers);
    let inside: Uint8Array | null | 'refused' = null;
    if (isMultipart(type)) inside = descriptionIn(part, budget, depth + 1);
    else if (type === sdpType && (name === '' || name === 'session') && isPlain(part)) inside = part.body;
    else if (handling === 'required' && !isAlternative) return 'refused';
    if (inside === 'refused') {
      if (handling !== 'optional' && !isAlternative) return 'refused';
      // The last alternative is the preferred one.
    } else if (inside !== null && (found === null || isAlternative)) found = inside;
  }
  return found;
}

function split({ headers, body }: BodyPart, budget: { left: number }): BodyPart[] | null {
  const boundary = contentTypeParam(headers, 'boundary');
  if (boundary === '' || boundary.length > 70) return null;
  // In Latin-1 each character is one byte, so that offsets in the text are offsets in the body.
  const text = `\r\n${Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')}`;
  const delimiter = `\r\n--${boundary}`;
  const parts: BodyPart[] = [];
  for (let at = text.indexOf(delimiter); at !== -1; ) {
    const after = at + delimiter.length;
    if (text.startsWith('--', after)) return parts;
    const next = text.indexOf(delimiter, after);
    const start = text.indexOf('\r\n', after);
    budget.left -= 1;
    if (next === -1 || start === -1 || budget.left < 0) return null;
    const part = readPart(text, start, next, body);
    if (part !== null) parts.push(part);
    at = next;
  }
  return null;
}

function readPart(text: string, start: number, end: number, body: Uint8Array): BodyPart | null {
  // A part without header fields begins with an empty line.
  const headEnd = text.indexOf('\r\n\r\n', start);
  if (headEnd === -1 || headEnd > end) return null;
  const headers = new SipHeaders();
  const lines = text.slice(start + 2, headEnd).replace(/\r\n[ \t]+/g, ' ');
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.add(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  // Two characters (CRLF) were added in front of the body's text.
  return { headers, body: body.slice(headEnd + 2, end - 2) };
}

function typeOf(headers: SipHeaders): string {
  return headers.get('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function isMultipart(type: string): boolean {
  return type === 'multipart/mixed' || type === 'multipart/alternative';
}

function isPlain({ headers }: BodyPart): boolean {
  return !/base64|quoted-printable/i.test(headers.get('Content-Transfer-Encoding') ?? '');
}

function contentTypeParam(headers: SipHeaders, name: string): string {
  const text = headers.get('Content-Type') ?? '';
  const semicolon = text.indexOf(';');
  return semicolon === -1 ? '' : (parseParams(text.slice(semicolon))?.get(name) ?? '');
}

function dispositionOf(headers: SipHeaders): { readonly name: string; readonly handling: string } {
  const [name = '', ...params] = (headers.get('Content-Disposition') ?? '').toLowerCase().split(';');
  const handling = params
    .map((each) => /^\s*handling\s*=\s*"?(\w+)/.exec(each)?.[1])
    .find((each) => each !== undefined);
  return { name: name.trim(), handling: handling ?? '' };
}
