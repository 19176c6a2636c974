import type { IncomingMessage } from 'node:http';
import { BytesBody } from '../body/bytes-body.ts';
import { DrainedBody } from '../body/drained-body.ts';
import { ParsedBody } from '../body/parsed-body.ts';
import type { RequestBody } from '../body/request-body.ts';
import { WireBody } from './wire-body.ts';

/** What a framework's parsers have left of a body. */
export interface ReadBody {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/** The bytes as they came; where a parser has read them before and kept none, what it made of them. */
export function bodyOf(incoming: IncomingMessage, { body, rawBody }: ReadBody): RequestBody {
  const wasRead = incoming.readableDidRead || incoming.readableEnded;
  if (!wasRead && rawBody === undefined) return new WireBody(incoming);
  const bytes = toBytes(rawBody) ?? (body instanceof Uint8Array ? body : null);
  if (bytes !== null) return new BytesBody(bytes);
  if (!wasRead) return new WireBody(incoming);
  const isJson = incoming.headers['content-type']?.toLowerCase().includes('json') ?? false;
  if (typeof body === 'string' && !isJson) return new BytesBody(Buffer.from(body));
  return isJson && body !== undefined ? new ParsedBody(body) : new DrainedBody();
}

function toBytes(rawBody: unknown): Uint8Array | null {
  if (rawBody instanceof Uint8Array) return rawBody;
  return typeof rawBody === 'string' ? Buffer.from(rawBody) : null;
}
