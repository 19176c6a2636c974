import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { etagOf } from '../engine/response/etag.ts';

/** The bytes of an OpenAPI document and their validator. */
interface Representation {
  readonly body: Uint8Array;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The representations of one OpenAPI document. */
export interface WrittenDescription {
  readonly plain: Representation;
  readonly gzipped: Representation;
}

const compress = promisify(gzip);

/** Maximum number of cached documents: one for each mount path. */
const maxKept = 8;

/** Caches each OpenAPI document plain and compressed, so that a request costs only a copy of the bytes. */
export class WrittenDescriptions {
  readonly #describe: (apiPath: string) => unknown;
  readonly #written = new Map<string, Promise<WrittenDescription>>();

  constructor(describe: (apiPath: string) => unknown) {
    this.#describe = describe;
  }

  of(apiPath: string): Promise<WrittenDescription> {
    const known = this.#written.get(apiPath);
    if (known !== undefined) return known;
    const writing = write(JSON.stringify(this.#describe(apiPath)));
    const [oldest] = this.#written.keys();
    if (this.#written.size >= maxKept && oldest !== undefined) this.#written.delete(oldest);
    this.#written.set(apiPath, writing);
    return writing;
  }
}

async function write(text: string): Promise<WrittenDescription> {
  const body = Buffer.from(text);
  const etag = etagOf(text);
  const zipped = await compress(body);
  return {
    plain: { body, etag, headers: {} },
    // The compressed bytes need their own validator. @see RFC 9110 §8.8.3.3
    gzipped: { body: zipped, etag: etag.replace(/"$/, '-gzip"'), headers: { 'content-encoding': 'gzip' } },
  };
}
