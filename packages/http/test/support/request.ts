import { BytesBody } from '../../src/body/bytes-body.ts';
import type { HttpRequest } from '../../src/message/http-request.ts';
import type { RequestBody } from '../../src/message/request-body.ts';

interface Given {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
}

/** Returns a request as a mount passes it to the engine; GET without headers and without a body by default. */
export function requestOf({
  method = 'GET',
  headers = {},
  body = new BytesBody(new Uint8Array()),
}: Given): HttpRequest {
  return {
    method,
    path: '/',
    search: '',
    body,
    signal: new AbortController().signal,
    gone: false,
    header: (name) => headers[name] ?? null,
    toRequest: () => new Request('http://x/', { method, headers }),
  };
}

/** Returns a body that is still as the client sent it, in chunks. */
export function wireBody(...chunks: readonly (string | Uint8Array)[]): RequestBody {
  const all = chunks.map((chunk) => Buffer.from(chunk));
  return {
    parsed: null,
    isEncoded: true,
    bytes: (maxBytes) => new BytesBody(Buffer.concat(all)).bytes(maxBytes),
    async *chunks() {
      yield* all;
    },
  };
}

/** Returns the thrown error; fails if the work throws nothing. */
export async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}
