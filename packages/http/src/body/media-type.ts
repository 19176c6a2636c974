import { RequestError } from '@va/core';
import type { HttpRequest } from '../message/http-request.ts';

/** Returns the media type in lower case and without parameters; empty without a Content-Type. */
export function mediaTypeOf(request: HttpRequest): string {
  const contentType = request.header('content-type') ?? '';
  if (contentType === 'application/json') return contentType;
  return contentType.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Returns the error for a body of another media type than the supported ones. */
export function unsupportedMediaType(supported: readonly string[]): RequestError {
  const message = `Send the body as Content-Type: ${supported.join(' or ')}.`;
  return new RequestError(415, 'unsupported_media_type', message);
}

/**
 * Refuses a compressed body, because the limit of its size would not bound its decompressed size.
 * @throws RequestError 415
 * @see RFC 9110 §15.5.16
 */
export function refuseEncoded(request: HttpRequest): void {
  const coding = request.header('content-encoding');
  if (coding === null || !request.body.isEncoded || coding.trim().toLowerCase() === 'identity') return;
  throw new RequestError(415, 'unsupported_media_type', 'Send the body without a Content-Encoding.');
}
