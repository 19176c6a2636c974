import type { HttpRequest } from '../engine/http-request.ts';
import type { RouteFacts } from '../routes/route.ts';
import { readJson } from './json-body.ts';
import { collect } from './request-body.ts';
import { openUpload, type Upload } from './upload.ts';

/** What came with a request, as its route takes it. */
export interface Sent {
  /** The JSON of the body; undefined on a route without one. */
  readonly body: unknown;
  /** The file's bytes; none on a route without one. */
  readonly file: AsyncIterable<Uint8Array>;
  /** What tells this body from another: of a form its file, for the next time its boundary will be another. */
  bytes(): Promise<Uint8Array>;
  close(): void;
}

const noBytes = new Uint8Array();
const noFile: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => chunksOf() };
const nothing: Sent = { body: undefined, file: noFile, bytes: async () => noBytes, close: () => {} };

/** Reads the body that a route takes; a file only as far as it has to. Throws `RequestError` 400, 413 and 415. */
export async function readSent({ body }: RouteFacts, request: HttpRequest): Promise<Sent> {
  if (body === null) return nothing;
  if ('kinds' in body) return new SentFile(await openUpload(request, body));
  const { value, bytes } = await readJson(request);
  return { body: value, file: noFile, bytes, close: () => {} };
}

class SentFile implements Sent {
  readonly body = undefined;
  readonly #upload: Upload;
  #bytes: Uint8Array | null = null;

  constructor(upload: Upload) {
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
