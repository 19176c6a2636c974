import { RequestError } from '@va/core/adapter';
import type { HttpRequest } from '@va/http';

/** Converts a Fetch request to the form that handlers take. */
export function fetchRequest(request: Request): HttpRequest {
  const { pathname, search } = new URL(request.url);
  const { headers, method, signal } = request;
  return {
    method,
    path: pathname,
    search: search.slice(1),
    signal,
    get gone() {
      return signal.aborted;
    },
    header: (name) => headers.get(name),
    toRequest: () => request,
    body: {
      parsed: null,
      isEncoded: headers.has('content-encoding'),
      bytes: async (maxBytes) => {
        const chunks: Uint8Array[] = [];
        let byteLength = 0;
        for await (const chunk of chunksOf(request)) {
          byteLength += chunk.byteLength;
          if (byteLength > maxBytes) throw new RequestError(413, 'body_too_large', `More than ${maxBytes} bytes.`);
          chunks.push(chunk);
        }
        return Buffer.concat(chunks);
      },
      chunks: () => chunksOf(request),
    },
  };
}

async function* chunksOf({ body }: Request): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
