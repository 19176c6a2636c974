import type { IncomingMessage } from 'node:http';

/** What frameworks add to node's request. */
export interface FrameworkRequest extends IncomingMessage {
  /** The path before a framework cut off where it had mounted the handler. */
  readonly originalUrl?: string;
  readonly baseUrl?: string;
  /** What a body parser before the handler has made of the body. */
  readonly body?: unknown;
  /** The bytes that such a parser kept. */
  readonly rawBody?: unknown;
}

/** Throws where the request cannot be one of the Fetch standard, as with the method TRACE. */
export function toRequest(incoming: FrameworkRequest, signal: AbortSignal): Request {
  const method = incoming.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(urlOf(incoming), {
    method,
    headers: headersOf(incoming),
    signal,
    ...(hasBody ? { body: bodyOf(incoming), duplex: 'half' } : {}),
  });
}

function urlOf(incoming: FrameworkRequest): string {
  const target = incoming.originalUrl ?? incoming.url ?? '/';
  // The absolute form of a request line (RFC 9112 §3.2.2) brings its own authority.
  if (!target.startsWith('/')) return URL.canParse(target) ? target : 'http://localhost/';
  const scheme = 'encrypted' in incoming.socket ? 'https' : 'http';
  const origin = `${scheme}://${incoming.headers.host ?? ''}`;
  return `${URL.canParse(origin) && new URL(origin).pathname === '/' ? origin : 'http://localhost'}${target}`;
}

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  const raw = incoming.rawHeaders;
  for (let n = 0; n + 1 < raw.length; n += 2) {
    const [name = '', value = ''] = raw.slice(n, n + 2);
    if (!name.startsWith(':')) headers.append(name, value);
  }
  return headers;
}

/** The bytes as they came; where a parser has read them before and kept none, what it made of them. */
function bodyOf(incoming: FrameworkRequest): Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array> | null {
  const { rawBody, body } = incoming;
  if (Buffer.isBuffer(rawBody)) return new Uint8Array(rawBody);
  if (!incoming.readableEnded && !incoming.readableDidRead) return streamOf(incoming);
  if (Buffer.isBuffer(body)) return new Uint8Array(body);
  const isJson = incoming.headers['content-type']?.includes('json') ?? false;
  if (typeof body === 'string' && !isJson) return body;
  return body === undefined ? null : toJson(body);
}

/** What is nested too deep to be written again comes out as no JSON at all, which the API then refuses. */
function toJson(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch {
    return '';
  }
}

/** Takes from the wire only what is read: a body that nobody reads is node's to clear away. */
function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let started = false;
  let over = false;
  function listen(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const finish = (end: () => void): void => {
      if (!over) end();
      over = true;
    };
    incoming.on('data', (chunk: Buffer) => {
      if (over) return;
      controller.enqueue(chunk);
      incoming.pause();
    });
    incoming.on('end', () => finish(() => controller.close()));
    incoming.on('error', (error) => finish(() => controller.error(error)));
    incoming.on('close', () => finish(() => controller.error(new Error('The client went away.'))));
  }
  return new ReadableStream<Uint8Array>(
    {
      pull(controller: ReadableStreamDefaultController<Uint8Array>) {
        if (!started) listen(controller);
        started = true;
        incoming.resume();
      },
      cancel() {
        over = true;
        // Read and dropped, so that the client gets to read the answer.
        incoming.resume();
      },
    },
    { highWaterMark: 0 },
  );
}
