import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { boundedResponse } from '../../src/network/bounded-response.ts';
import { ignoreErrors, refuseUpgrade } from '../../src/network/refuse-upgrade.ts';

/** A response whose body arrives in these chunks. */
function responseOf(chunks: readonly string[], init: ResponseInit = {}): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  return new Response(body, init);
}

describe('boundedResponse', () => {
  it('keeps status, headers and a body of up to the limit', async () => {
    const response = boundedResponse(
      responseOf(['abc', 'de'], { status: 201, statusText: 'Made', headers: { 'x-id': '7' } }),
      5,
    );
    expect([response.status, response.statusText, response.headers.get('x-id')]).toEqual([201, 'Made', '7']);
    expect(await response.text()).toBe('abcde');
  });

  it('fails while a body beyond the limit is read', async () => {
    await expect(boundedResponse(responseOf(['abc', 'def']), 5).text()).rejects.toThrow('more than 5 bytes');
  });

  it('counts bytes, not characters', async () => {
    await expect(boundedResponse(responseOf(['éé']), 3).text()).rejects.toThrow('more than 3 bytes');
  });

  it('returns a response without a body as it is', () => {
    const response = new Response(null, { status: 204 });
    expect(boundedResponse(response, 1)).toBe(response);
  });
});

describe('refuseUpgrade', () => {
  it.each([
    [404, 'HTTP/1.1 404 Not Found'],
    [503, 'HTTP/1.1 503 Service Unavailable'],
    [599, 'HTTP/1.1 599 '],
  ])('answers with the status %i, and closes the connection', async (status, line) => {
    const socket = new PassThrough();
    refuseUpgrade(socket, status);
    expect(await text(socket)).toBe(`${line}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    expect(socket.destroyed).toBe(true);
  });

  it('survives a peer that resets the connection', () => {
    const socket = new PassThrough();
    refuseUpgrade(socket, 404);
    expect(() => socket.emit('error', new Error('ECONNRESET'))).not.toThrow();
  });
});

describe('ignoreErrors', () => {
  it('adds one listener, however often it is called', () => {
    const socket = new PassThrough();
    for (let n = 0; n < 20; n += 1) ignoreErrors(socket);
    expect(socket.listenerCount('error')).toBe(1);
    expect(() => socket.emit('error', new Error('ECONNRESET'))).not.toThrow();
  });
});
