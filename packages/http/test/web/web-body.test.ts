import type { UnderlyingSource } from 'node:stream/web';
import { describe, expect, it } from 'vitest';
import { DrainedBody } from '../../src/body/drained-body.ts';
import { collect } from '../../src/message/request-body.ts';
import { discardBody } from '../../src/web/discard-body.ts';
import { remoteAddressOf } from '../../src/web/remote-address.ts';
import { toResponse } from '../../src/web/to-response.ts';
import { WebBody } from '../../src/web/web-body.ts';
import { WebRequest } from '../../src/web/web-request.ts';
import { thrownBy } from '../support/request.ts';

function posted(source: UnderlyingSource<Uint8Array>): Request {
  const body = new ReadableStream(source, { highWaterMark: 0 });
  return new Request('http://x/a?b=1', { method: 'POST', body, duplex: 'half' });
}

/** Sends chunks of a mebibyte as long as they are read. */
function endless(): { request: Request; sent: () => number; cancelled: Promise<unknown> } {
  let sent = 0;
  let cancel = (_reason: unknown): void => {};
  const cancelled = new Promise((resolve) => {
    cancel = resolve;
  });
  const request = posted({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(1_048_576));
    },
    cancel: (reason) => cancel(reason),
  });
  return { request, sent: () => sent, cancelled };
}

describe('WebBody', () => {
  it('reads all bytes up to the limit', async () => {
    const body = (): WebBody => new WebBody(new Request('http://x/', { method: 'POST', body: 'abc' }));
    expect(String(await body().bytes(3))).toBe('abc');
    await expect(body().bytes(2)).rejects.toMatchObject({ status: 413 });
  });

  it('reads nothing of a request without a body', async () => {
    expect((await collect(new WebBody(new Request('http://x/')).chunks())).byteLength).toBe(0);
  });

  it('reports a client that disconnects', async () => {
    const request = posted({ pull: () => Promise.reject(new Error('reset')) });
    expect(await thrownBy(() => new WebBody(request).bytes(9))).toMatchObject({ status: 400 });
  });

  it('drains what a reader leaves, up to 16 MiB, and cancels the rest', async () => {
    const { request, sent, cancelled } = endless();
    for await (const chunk of new WebBody(request).chunks()) {
      expect(chunk.byteLength).toBe(1_048_576);
      break;
    }
    await cancelled;
    expect(sent()).toBeGreaterThan(16);
    expect(sent()).toBeLessThan(20);
  });
});

describe('discardBody', () => {
  it('leaves a body alone that has a reader', async () => {
    const request = new Request('http://x/', { method: 'POST', body: 'abc' });
    const reader = request.body?.getReader();
    await discardBody(request);
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('abc');
  });

  it('resolves for a request without a body, and for one that fails', async () => {
    await expect(discardBody(new Request('http://x/'))).resolves.toBeUndefined();
    await expect(discardBody(posted({ pull: () => Promise.reject(new Error('reset')) }))).resolves.toBeUndefined();
  });
});

describe('WebRequest', () => {
  it('splits the URL', () => {
    const request = new WebRequest(new Request('http://x/a%20b?c=1'));
    expect([request.method, request.path, request.search]).toEqual(['GET', '/a%20b', 'c=1']);
  });

  it('has a drained body if the request was read before', async () => {
    const request = new Request('http://x/', { method: 'POST', body: 'abc' });
    await request.text();
    expect(new WebRequest(request).body).toBeInstanceOf(DrainedBody);
  });

  it('is gone once its signal is aborted', () => {
    const abort = new AbortController();
    const request = new WebRequest(new Request('http://x/', { signal: abort.signal }));
    expect(request.gone).toBe(false);
    abort.abort();
    expect([request.gone, request.signal.aborted]).toEqual([true, true]);
  });
});

describe('remoteAddressOf', () => {
  it.each([
    [{ remoteAddress: '192.0.2.1' }, '192.0.2.1'],
    [{ incoming: { socket: { remoteAddress: '192.0.2.1' } } }, '192.0.2.1'],
    [{ remoteAddress: null }, null],
    [{ incoming: null }, null],
    [{ incoming: { socket: { remoteAddress: 5 } } }, null],
    [undefined, null],
    ['text', null],
  ])('of %j is %j', (from, address) => {
    expect(remoteAddressOf(from)).toBe(address);
  });
});

describe('toResponse', () => {
  it.each([
    ['a text', 'abc', 'abc'],
    ['bytes', Buffer.from('abc'), 'abc'],
    ['no body', null, ''],
  ])('converts %s', async (_name, body, expected) => {
    const response = toResponse({ status: 201, headers: { 'x-a': '1' }, body });
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([201, '1', expected]);
  });
});
