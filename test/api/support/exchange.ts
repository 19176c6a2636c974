import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** True to disconnect once an event stream has begun. */
  readonly leavesStreams?: boolean;
  /** Time limit for the response. */
  readonly deadlineMs?: number;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** Undefined when the body is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came
  readonly body: any;
}

/** Keeps connections open between requests, as clients do. */
export function keepAliveAgent(maxSockets = 8): Agent {
  return new Agent({ keepAlive: true, maxSockets });
}

/** Sends one request on a real socket, exactly as given. Rejects when the connection breaks or the deadline passes. */
export function exchange(origin: string, sent: Sent, agent?: Agent): Promise<Reply> {
  const { method, path, headers = {}, body, deadlineMs = 15_000 } = sent;
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    // Without a length, Node.js does not frame the body of a DELETE.
    const framed = body === undefined || 'transfer-encoding' in headers ? headers : withLength(headers, body);
    const options = { hostname, port, method, path, headers: framed, ...(agent === undefined ? {} : { agent }) };
    const outgoing = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      if (sent.leavesStreams && response.headers['content-type'] === 'text/event-stream') {
        clearTimeout(deadline);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.alloc(0),
          text: '',
          body: undefined,
        });
        outgoing.destroy();
        return;
      }
      response.on('end', () => {
        clearTimeout(deadline);
        const bytes = Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, ...read(bytes) });
      });
    });
    const deadline = setTimeout(() => {
      outgoing.destroy(new Error(`${method} ${path.slice(0, 200)} got no response within ${deadlineMs} ms`));
    }, deadlineMs);
    outgoing.on('error', (error) => {
      clearTimeout(deadline);
      reject(error);
    });
    outgoing.end(body);
  });
}

function withLength(headers: Readonly<Record<string, string>>, body: string | Uint8Array): Record<string, string> {
  return { 'content-length': String(Buffer.byteLength(body)), ...headers };
}

function read(bytes: Buffer): Pick<Reply, 'text' | 'body'> {
  const text = bytes.toString('utf8');
  try {
    return { text, body: JSON.parse(text) };
  } catch {
    return { text, body: undefined };
  }
}
