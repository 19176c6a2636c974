import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { toExpress } from '../src/express.ts';
import type { Handler } from '../src/handler.ts';
import { toNode } from '../src/node.ts';

let server: Server;

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function serve(fetch: Handler['fetch'], behindJson = false): Promise<string> {
  const handler = { fetch, close: async () => {} };
  const app = express().use(express.json({ verify: keepRawBody }), toExpress(handler));
  server = createServer(behindJson ? app : toNode(handler));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

function keepRawBody(request: object, _response: unknown, bytes: Buffer): void {
  Object.assign(request, { rawBody: bytes });
}

/** Sends raw HTTP and returns everything that came back until the server closed. */
async function raw(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(text);
  await new Promise((resolve) => socket.on('close', resolve).on('error', resolve));
  return answer;
}

async function until(condition: () => boolean): Promise<void> {
  for (let n = 0; n < 1_000 && !condition(); n += 1) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(condition()).toBe(true);
}

describe('the bridge from node', () => {
  it('brings body, repeated headers and the query as they came', async () => {
    const bytes = Buffer.from('{ "b":1.0,  "a":"\\u00e9 é" }');
    for (const behindJson of [false, true]) {
      const url = await serve(async (request) => {
        expect(request.headers.get('x-many')).toBe('1, 2');
        expect(new URL(request.url).search).toBe('?q=%20a');
        return new Response(await request.arrayBuffer());
      }, behindJson);
      const headers: [string, string][] = [
        ['content-type', 'application/json'],
        ['x-many', '1'],
        ['x-many', '2'],
      ];
      const response = await fetch(`${url}/x?q=%20a`, { method: 'POST', headers, body: bytes });
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
      if (!behindJson) await new Promise((resolve) => server.close(resolve));
    }
  });

  it('keeps cookies apart', async () => {
    const url = await serve(async () => {
      const headers = new Headers();
      headers.append('set-cookie', 'a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT');
      headers.append('set-cookie', 'b=2');
      return new Response('x', { headers });
    });
    const response = await fetch(url);
    expect(response.headers.getSetCookie()).toEqual(['a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT', 'b=2']);
  });

  it('reads from a stream no faster than the client takes it, and stops when the client goes', async () => {
    let pulled = 0;
    let cancelled = false;
    let signal: AbortSignal | undefined;
    const url = await serve(async (request) => {
      signal = request.signal;
      return new Response(
        new ReadableStream({
          pull(controller) {
            pulled += 1;
            controller.enqueue(new Uint8Array(1_000_000));
          },
          cancel() {
            cancelled = true;
          },
        }),
      );
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const whileStalled = pulled;
    expect(whileStalled).toBeLessThan(50);
    socket.destroy();
    await until(() => cancelled);
    expect(signal?.aborted).toBe(true);
  });

  it('does not abort a request that was answered', async () => {
    let signal: AbortSignal | undefined;
    const url = await serve(async (request) => {
      signal = request.signal;
      return new Response(await request.text());
    });
    await (await fetch(url, { method: 'POST', body: 'x' })).text();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(signal?.aborted).toBe(false);
  });

  it('cuts off an answer whose stream fails, so that it cannot pass for a whole one', async () => {
    const url = await serve(async () => {
      const body = new ReadableStream({
        pull(controller) {
          controller.enqueue(new Uint8Array(10));
          controller.error(new Error('disk'));
        },
      });
      return new Response(body, { headers: { 'content-length': '100' } });
    });
    await expect(fetch(url).then((response) => response.arrayBuffer())).rejects.toThrow();
  });

  it('ends the reading of a body when its client goes away', async () => {
    let failure: unknown;
    const url = await serve(async (request) => {
      await request.text().catch((error: unknown) => {
        failure = error;
      });
      return new Response();
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await until(() => failure !== undefined);
    expect(failure).toBeInstanceOf(Error);
  });

  it.each([
    ['a method that fetch does not know', 'TRACE / HTTP/1.1\r\nHost: x\r\n', '400'],
    ['an odd host', 'GET /a HTTP/1.1\r\nHost: a b/c?d\r\n', '200'],
    ['no host', 'GET /a HTTP/1.0\r\n', '200'],
    ['two slashes', 'GET //evil.example/a HTTP/1.1\r\nHost: x\r\n', '200'],
    ['the absolute form', 'GET http://other.example/a HTTP/1.1\r\nHost: x\r\n', '200'],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n', '200'],
  ])('survives %s', async (_name, head, status) => {
    const paths: string[] = [];
    const url = await serve(async (request) => {
      paths.push(new URL(request.url).pathname);
      return new Response('ok');
    });
    expect(await raw(url, `${head}Connection: close\r\n\r\n`)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    if (head.includes('evil')) expect(paths).toEqual(['//evil.example/a']);
  });

  it('clears a body away that nobody read, and serves the next request of the connection', async () => {
    const url = await serve(async () => new Response('ok'));
    const post = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n${'a'.repeat(200_000)}`;
    const answer = await raw(url, `${post}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer.match(/HTTP\/1.1 200/g)).toHaveLength(2);
  });
});
