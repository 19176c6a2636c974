import type { StoredRecording } from '@va/core/adapter';
import { HttpError } from '../../message/http-error.ts';
import type { HttpRequest } from '../../message/http-request.ts';
import type { RawResponse } from '../../route/route.ts';
import { parseRange } from './range.ts';

/**
 * Responds with a recording: a redirect, all bytes, or the requested range.
 * @param mayRedirect false for a client that cannot follow a redirect to another origin
 * @throws RequestError 416
 */
export function serveRecording(recording: StoredRecording, request: HttpRequest, mayRedirect = true): RawResponse {
  const { byteLength, contentType, url } = recording;
  if (url !== undefined && mayRedirect)
    return { status: 302, headers: { location: url, 'cache-control': 'no-store' }, body: null };
  const headers: Record<string, string> = {
    'content-type': contentType,
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
  };
  // Recordings have no validator to compare with If-Range, so the range of a request with If-Range is ignored (RFC 9110
  // §13.1.5).
  const asked = request.header('if-range') === null ? request.header('range') : null;
  const range = parseRange(asked, byteLength);
  if (range === 'unsatisfiable') {
    const contentRange = { 'content-range': `bytes */${byteLength}` };
    throw new HttpError(416, 'range_not_satisfiable', `The recording has ${byteLength} bytes.`, contentRange);
  }
  headers['content-length'] = String(range === null ? byteLength : range.end - range.start + 1);
  if (range !== null) headers['content-range'] = `bytes ${range.start}-${range.end}/${byteLength}`;
  const read = (): ReadableStream<Uint8Array> => (range === null ? recording.read() : recording.read(range));
  return { status: range === null ? 200 : 206, headers, body: request.method === 'HEAD' ? null : read() };
}
