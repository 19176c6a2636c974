import type { HttpRequest } from '../message/http-request.ts';
import { bodyTooLarge, limited } from '../message/request-body.ts';
import { mediaTypeOf, refuseEncoded, unsupportedMediaType } from './media-type.ts';
import { openMultipartFile } from './multipart-file.ts';

/** A body that is a file, either directly or as the first file of a `multipart/form-data`. */
export interface UploadSpec {
  readonly kinds: readonly [string, ...string[]];
  /** Maximum size of the file. */
  readonly maxBytes: number;
}

/** The file of a request whose body is being read. */
export interface OpenedUpload {
  /** Streams the file. Throws `RequestError` 413 beyond the limit. */
  readonly file: AsyncIterable<Uint8Array>;
  /** Releases the body, read completely or not. */
  close(): void;
}

/** Allowance for boundaries, headers and small fields around the file. */
const multipartOverheadBytes = 65_536;

/**
 * Opens the uploaded file of a request.
 * @throws RequestError 415 `unsupported_media_type`, 413 `body_too_large`, 400 for a form without a file
 */
export async function openUpload(request: HttpRequest, spec: UploadSpec): Promise<OpenedUpload> {
  const mediaType = mediaTypeOf(request);
  if (!spec.kinds.includes(mediaType)) throw unsupportedMediaType(spec.kinds);
  refuseEncoded(request);
  const isMultipart = mediaType === 'multipart/form-data';
  const maxWireBytes = spec.maxBytes + (isMultipart ? multipartOverheadBytes : 0);
  if (Number(request.header('content-length') ?? 0) > maxWireBytes) throw bodyTooLarge(spec.maxBytes);
  if (!isMultipart) return { file: limited(request.body.chunks(), spec.maxBytes), close: () => {} };
  const wire = limited(request.body.chunks(), maxWireBytes);
  const { file, close } = await openMultipartFile(wire, request.header('content-type') ?? '');
  return { file: limited(file, spec.maxBytes), close };
}
