import type { IncomingMessage } from 'node:http';
import { BytesBody } from '../body/bytes-body.ts';
import { DrainedBody } from '../body/drained-body.ts';
import { formBytes } from '../body/form-bytes.ts';
import { ParsedBody } from '../body/parsed-body.ts';
import type { RequestBody } from '../message/request-body.ts';
import { WireBody } from './wire-body.ts';

/** The body properties that a framework's parsers set on a request. */
export interface ReadBody {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/** Returns the body as raw bytes if they are still available, else as the value that a parser made of them. */
export function bodyOf(incoming: IncomingMessage, { body, rawBody }: ReadBody): RequestBody {
  const wasRead = incoming.readableDidRead || incoming.readableEnded;
  if (!wasRead && rawBody === undefined) return new WireBody(incoming);
  const bytes = toBytes(rawBody) ?? (body instanceof Uint8Array ? body : null);
  if (bytes !== null) return new BytesBody(bytes);
  if (!wasRead) return new WireBody(incoming);
  const mediaType = incoming.headers['content-type']?.toLowerCase() ?? '';
  const isJson = mediaType.includes('json');
  if (typeof body === 'string' && !isJson) return new BytesBody(Buffer.from(body));
  const form = mediaType.startsWith('application/x-www-form-urlencoded') ? formBytes(body) : null;
  if (form !== null) return new BytesBody(form);
  return isJson && body !== undefined ? new ParsedBody(body) : new DrainedBody();
}

function toBytes(rawBody: unknown): Uint8Array | null {
  if (rawBody instanceof Uint8Array) return rawBody;
  return typeof rawBody === 'string' ? Buffer.from(rawBody) : null;
}
