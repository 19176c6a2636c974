import { SipHeaders } from './headers.ts';
import { noBody, type SipMessage, type SipRequest } from './message.ts';
import { isToken } from './tokens.ts';

/** Reason why bytes are not a SIP message. `status` is the response to send if they are a request. */
interface ParseFault {
  readonly code: 'incomplete' | 'start_line' | 'version' | 'header' | 'content_length' | 'too_large';
  readonly status: 400 | 505 | 513;
  readonly message: string;
}

type ParseResult =
  | { readonly ok: true; readonly message: SipMessage }
  /** `request` holds what could be read, so that the fault can be answered. */
  | { readonly ok: false; readonly fault: ParseFault; readonly request: SipRequest | null };

/** Maximum length of start line and header section, in bytes. */
export const maxHeadBytes = 32_768;
const maxHeaderFields = 256;
const carriageReturn = 13;
const lineFeed = 10;

const decoder = new TextDecoder('utf-8');
const requestLinePattern = /^(\S+) (\S+) SIP\/(\d{1,9})\.(\d{1,9})$/i;
const statusLinePattern = /^SIP\/(\d{1,9})\.(\d{1,9}) (\d{3})(?: (.*))?$/i;

function refuse(
  code: ParseFault['code'],
  message: string,
  request: SipRequest | null = null,
  status: ParseFault['status'] = 400,
): ParseResult {
  return { ok: false, fault: { code, status, message }, request };
}

/** Returns the offset of the empty line that ends the header section; -1 when there is none before `limit`. */
export function findHeadEnd(bytes: Uint8Array, from: number, limit: number): number {
  const end = Math.min(bytes.length - 3, limit);
  for (let i = from; i < end; i++) {
    if (
      bytes[i] === carriageReturn &&
      bytes[i + 1] === lineFeed &&
      bytes[i + 2] === carriageReturn &&
      bytes[i + 3] === lineFeed
    ) {
      return i;
    }
  }
  return -1;
}

/**
 * Returns the offset of the first byte that is not part of a line end: empty lines before a message are keep-alives of
 * a connection.
 */
export function skipLineEnds(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === carriageReturn || bytes[at] === lineFeed) at += 1;
  return at;
}

function parseHeaders(lines: readonly string[]): SipHeaders | null {
  const unfolded: string[] = [];
  for (const line of lines) {
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (unfolded.length === 0) return null;
      unfolded.push(`${unfolded.pop()} ${line.trim()}`);
    } else unfolded.push(line);
  }
  const headers = new SipHeaders();
  for (const line of unfolded) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trimEnd();
    if (colon === -1 || !isToken(name)) return null;
    headers.add(name, line.slice(colon + 1).trim());
  }
  return headers;
}

/** Returns the value of Content-Length; null when there is none, undefined when it is malformed or contradictory. */
function readContentLength(headers: SipHeaders): number | null | undefined {
  const values = new Set(headers.all('Content-Length'));
  if (values.size === 0) return null;
  const [value = ''] = values;
  return values.size === 1 && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

function startLine(line: string, headers: SipHeaders, body: Uint8Array): ParseResult {
  const status = statusLinePattern.exec(line);
  if (status !== null) {
    const code = Number(status[3]);
    if (`${Number(status[1])}.${Number(status[2])}` !== '2.0') return refuse('version', 'The version is not 2.0.');
    if (code < 100 || code > 699) return refuse('start_line', `The status ${code} does not exist.`);
    return { ok: true, message: { kind: 'response', status: code, reason: status[4] ?? '', headers, body } };
  }
  const request = requestLinePattern.exec(line);
  const method = request?.[1] ?? '';
  if (request === null || !isToken(method)) {
    const first = line.split(' ', 1)[0] ?? '';
    // A damaged response must not be answered.
    const salvaged: SipRequest | null = /^SIP\//i.test(first)
      ? null
      : { kind: 'request', method: first, uri: '', headers, body };
    return refuse('start_line', 'The first line is neither a request line nor a status line.', salvaged);
  }
  const message: SipRequest = { kind: 'request', method, uri: request[2] ?? '', headers, body };
  if (`${Number(request[3])}.${Number(request[4])}` !== '2.0') {
    return refuse('version', 'The version is not 2.0.', message, 505);
  }
  return { ok: true, message };
}

/**
 * Parses one message, as received in a datagram or cut out of a stream by the framer. Never throws; the time is linear
 * in the number of bytes. Bytes after the length given by Content-Length are ignored (RFC 3261 §18.3).
 */
export function parseMessage(bytes: Uint8Array): ParseResult {
  const start = skipLineEnds(bytes, 0);
  const headEnd = findHeadEnd(bytes, start, start + maxHeadBytes);
  if (headEnd === -1) {
    return bytes.length - start > maxHeadBytes
      ? refuse('too_large', `The header section is longer than ${maxHeadBytes} bytes.`)
      : refuse('incomplete', 'The header section does not end.');
  }
  const [first = '', ...lines] = decoder.decode(bytes.subarray(start, headEnd)).split('\r\n');
  if (lines.length > maxHeaderFields) return refuse('too_large', `There are more than ${maxHeaderFields} fields.`);
  const headers = parseHeaders(lines);
  if (headers === null) return refuse('header', 'A header line is not of the form "Name: value".');
  const rest = bytes.subarray(headEnd + 4);
  const length = readContentLength(headers);
  const body = length === undefined || rest.length === 0 ? noBody : rest.subarray(0, length ?? rest.length);
  const parsed = startLine(first, headers, body);
  if (!parsed.ok || (length !== undefined && (length ?? 0) <= rest.length)) return parsed;
  const request = parsed.message.kind === 'request' ? parsed.message : null;
  return refuse('content_length', 'Content-Length is malformed or larger than what arrived.', request);
}
