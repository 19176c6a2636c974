import { RequestError } from '@va/core';
import type { HttpRequest } from '../message/http-request.ts';
import { bodyTooLarge } from '../message/request-body.ts';
import { mediaTypeOf, refuseEncoded, unsupportedMediaType } from './media-type.ts';

const maxJsonBytes = 1_048_576;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** A JSON body, parsed but not validated. */
export interface JsonBody {
  readonly value: unknown;
  /** Returns the bytes of the body, or its value as JSON if a parser of the host consumed them. */
  bytes(): Promise<Uint8Array>;
}

/**
 * Reads a JSON body; an absent one is read as `{}`.
 * @throws RequestError 415 `unsupported_media_type`, 413 `body_too_large`, 400 `invalid_json`
 */
export async function readJson(request: HttpRequest): Promise<JsonBody> {
  if (isAbsent(request)) return { value: {}, bytes: async () => new Uint8Array() };
  if (mediaTypeOf(request) !== 'application/json') throw unsupportedMediaType(['application/json']);
  refuseEncoded(request);
  const { body } = request;
  if (body.parsed !== null) return { value: parsedValue(body.parsed.value), bytes: () => body.bytes(maxJsonBytes) };
  if (Number(request.header('content-length') ?? 0) > maxJsonBytes) throw bodyTooLarge(maxJsonBytes);
  const bytes = await body.bytes(maxJsonBytes);
  return { value: parse(bytes), bytes: async () => bytes };
}

/**
 * Returns true if the request has no body. It is read as `{}`, so that the error names missing fields, which is more
 * helpful than a missing media type.
 */
function isAbsent(request: HttpRequest): boolean {
  if (request.header('content-type') !== null || request.body.parsed !== null) return false;
  return (request.header('content-length') ?? '0') === '0' && request.header('transfer-encoding') === null;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw new RequestError(400, 'invalid_json', 'The body is not valid JSON in UTF-8.');
  }
}

/**
 * Returns the value that a parser of the host made of a body. A string is parsed as JSON and kept if that fails: it
 * comes from a text parser, because no body of the API is a JSON string.
 */
function parsedValue(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
