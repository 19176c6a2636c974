import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'a-secret-of-the-test' };

/**
 * An S3 bucket with PUT, HEAD, GET, ranges and DELETE. Rejects requests whose signature is wrong or has expired.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export class S3Server {
  readonly objects = new Map<string, Buffer>();
  readonly requests: string[] = [];
  /** Number of the next PUT requests that fail. */
  failures = 0;
  /** Added to the server's clock. */
  aheadMs = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<S3Server> {
    const server = new S3Server();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = '', url = '' } = request;
    const { pathname } = new URL(url, this.url);
    this.requests.push(`${method} ${pathname}`);
    if (!this.#isSigned(request, body)) return void response.writeHead(403).end();
    const found = this.objects.get(pathname);
    if (method === 'PUT' && this.failures > 0) {
      this.failures -= 1;
      return void response.writeHead(400).end();
    }
    if (method === 'PUT') this.objects.set(pathname, body);
    if (method === 'DELETE') this.objects.delete(pathname);
    if (method === 'PUT' || method === 'DELETE') return void response.writeHead(method === 'PUT' ? 200 : 204).end();
    if (found === undefined) return void response.writeHead(404).end();
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const part = start === undefined ? found : found.subarray(Number(start), Number(end) + 1);
    response.writeHead(start === undefined ? 200 : 206, { 'content-length': part.length, 'content-type': 'audio/wav' });
    response.end(method === 'HEAD' ? undefined : part);
  }

  #isSigned(request: IncomingMessage, body: Buffer): boolean {
    const { searchParams } = new URL(request.url ?? '', this.url);
    const header = /Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(
      request.headers.authorization ?? '',
    );
    const [credential, signed, signature] =
      header?.slice(1) ??
      ['Credential', 'SignedHeaders', 'Signature'].map((name) => searchParams.get(`X-Amz-${name}`) ?? '');
    const date = String(request.headers['x-amz-date'] ?? searchParams.get('X-Amz-Date'));
    const [key, day = '', region = '', service = ''] = (credential ?? '').split('/');
    const lifetimeSeconds = Number(searchParams.get('X-Amz-Expires') ?? 900);
    const signedAtMs = Date.parse(date.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z'));
    if (key !== credentials.accessKeyId || Date.now() + this.aheadMs > signedAtMs + lifetimeSeconds * 1_000)
      return false;
    const sha256 = String(request.headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD');
    if (sha256 !== 'UNSIGNED-PAYLOAD' && sha256 !== createHash('sha256').update(body).digest('hex')) return false;
    const scope = [day, region, service, 'aws4_request'];
    const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), hash(canonical(request, this.url, signed ?? '', sha256))];
    const hmac = (secret: string | Buffer, of: string): Buffer => createHmac('sha256', secret).update(of).digest();
    const signing = scope.reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
    const expected = hmac(signing, text.join('\n')).toString('hex');
    return signature?.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  }
}

function canonical(request: IncomingMessage, base: string, signed: string, sha256: string): string {
  const { pathname, searchParams } = new URL(request.url ?? '', base);
  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
  const headers = signed.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  return [request.method, pathname, query, headers.join(''), signed, sha256].join('\n');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
