import type { RequestOptions } from './request/request-options.ts';
import type { ApiRequest, Transport } from './request/transport.ts';

/** Options of `client.calls.recording`. */
export interface RecordingOptions extends Omit<RequestOptions, 'idempotencyKey'> {
  /** False to get the bytes from the service instead of a redirect to its store, such as S3. */
  readonly redirect?: boolean | undefined;
  /** Byte range with inclusive ends; without `end`, up to the end of the recording. */
  readonly range?: { readonly start: number; readonly end?: number } | undefined;
}

/** A recording whose bytes are streamed. */
export interface Recording {
  /** The bytes. Cancel the stream unless you read it to the end, because it occupies a connection. */
  readonly body: ReadableStream<Uint8Array>;
  /** Media type, such as `audio/wav`. */
  readonly contentType: string;
  /** Size of the body in bytes; null if unknown. */
  readonly byteLength: number | null;
  /** Byte range of the body with inclusive ends; null for the whole recording. */
  readonly range: { readonly start: number; readonly end: number; readonly totalBytes: number } | null;
}

export async function openRecording(
  transport: Transport,
  request: ApiRequest,
  { range, redirect, ...options }: RecordingOptions = {},
): Promise<Recording> {
  const headers: Record<string, string> = { accept: '*/*' };
  if (range !== undefined) headers.range = `bytes=${range.start}-${range.end ?? ''}`;
  const query = redirect === undefined ? {} : { query: { redirect } };
  const response = await transport.open({ ...request, headers, ...query }, options);
  const byteLength = response.headers.get('content-length');
  return {
    body: response.body ?? new Blob([]).stream(),
    contentType: response.headers.get('content-type') ?? 'application/octet-stream',
    byteLength: byteLength === null ? null : Number(byteLength),
    range: readContentRange(response),
  };
}

/** @see RFC 9110 §14.4 */
function readContentRange({ status, headers }: Response): Recording['range'] {
  const parts = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '');
  if (status !== 206 || parts === null) return null;
  const [start = 0, end = 0, totalBytes = 0] = parts.slice(1).map(Number);
  return { start, end, totalBytes };
}
