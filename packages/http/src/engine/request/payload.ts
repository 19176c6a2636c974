import { readJson } from '../../body/json-body.ts';
import { type OpenedUpload, openUpload } from '../../body/upload.ts';
import type { HttpRequest } from '../../message/http-request.ts';
import { collect } from '../../message/request-body.ts';
import type { RouteFacts } from '../../route/route.ts';

/** The payload of a request, as its route reads it. */
export interface RequestPayload {
  /** The parsed JSON body; undefined on a route without one. */
  readonly body: unknown;
  /** The bytes of the uploaded file; empty on a route without one. */
  readonly file: AsyncIterable<Uint8Array>;
  /**
   * Returns the bytes by which a repeated request is recognized. Of a form these are only the bytes of its file,
   * because each time the form is sent it has another boundary.
   */
  bytes(): Promise<Uint8Array>;
  close(): void;
}

const noBytes = new Uint8Array();
const noFile: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => chunksOf() };
const nothing: RequestPayload = { body: undefined, file: noFile, bytes: async () => noBytes, close: () => {} };

/**
 * Reads the body that a route accepts. A file is read only as far as the route consumes it.
 * @throws RequestError 400, 413 and 415
 */
export async function readPayload({ body }: RouteFacts, request: HttpRequest): Promise<RequestPayload> {
  if (body === null) return nothing;
  if ('kinds' in body) return new UploadPayload(await openUpload(request, body));
  const { value, bytes } = await readJson(request);
  return { body: value, file: noFile, bytes, close: () => {} };
}

class UploadPayload implements RequestPayload {
  readonly body = undefined;
  readonly #upload: OpenedUpload;
  #bytes: Uint8Array | null = null;

  constructor(upload: OpenedUpload) {
    this.#upload = upload;
  }

  get file(): AsyncIterable<Uint8Array> {
    return this.#bytes === null ? this.#upload.file : chunksOf(this.#bytes);
  }

  async bytes(): Promise<Uint8Array> {
    this.#bytes ??= await collect(this.#upload.file);
    return this.#bytes;
  }

  close(): void {
    this.#upload.close();
  }
}

async function* chunksOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
