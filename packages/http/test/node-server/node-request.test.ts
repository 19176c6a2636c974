import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BytesBody } from '../../src/body/bytes-body.ts';
import { DrainedBody } from '../../src/body/drained-body.ts';
import { ParsedBody } from '../../src/body/parsed-body.ts';
import { bodyOf } from '../../src/node-server/body-of.ts';
import { NodeRequest } from '../../src/node-server/node-request.ts';
import { WireBody } from '../../src/node-server/wire-body.ts';

interface Received {
  readonly target?: string;
  /** Names and values alternate, as Node receives them. */
  readonly headers?: readonly string[];
}

function received({ target = '/', headers = [] }: Received): { request: NodeRequest; outgoing: ServerResponse } {
  const incoming = new IncomingMessage(new Socket());
  incoming.method = 'GET';
  incoming.rawHeaders = [...headers];
  for (let n = 0; n < headers.length; n += 2) {
    const name = String(headers[n]).toLowerCase();
    const earlier = incoming.headers[name];
    incoming.headers[name] = earlier === undefined ? headers[n + 1] : `${earlier}, ${headers[n + 1]}`;
  }
  const outgoing = new ServerResponse(incoming);
  return { request: new NodeRequest(incoming, outgoing, target, {}), outgoing };
}

describe('NodeRequest', () => {
  it.each([
    ['/a/b', '/a/b', ''],
    ['/a?b=1&c', '/a', 'b=1&c'],
    ['/a?b?c', '/a', 'b?c'],
    ['/?', '/', ''],
    ['//evil.example/a', '//evil.example/a', ''],
    ['http://other.example/a?b=1', '/a', 'b=1'],
    ['HTTPS://other.example', '/', ''],
    ['http://other.example?b', '/', 'b'],
    ['*', '/*', ''],
  ])('splits the target %s', (target, path, search) => {
    const { request } = received({ target });
    expect([request.path, request.search]).toEqual([path, search]);
  });

  it('returns headers by their lower-case name, repeated ones joined', () => {
    const { request } = received({ headers: ['X-A', '1', 'x-a', '2', 'Set-Cookie', 'c'] });
    expect([request.header('x-a'), request.header('x-b')]).toEqual(['1, 2', null]);
  });

  it('passes on its headers except those of the connection', () => {
    const headers = ['Host', 'x', 'X-A', '1', 'Connection', 'close', 'Transfer-Encoding', 'chunked', 'TE', 'trailers'];
    const { request } = received({ headers });
    expect(Object.fromEntries(request.toRequest().headers)).toEqual({ host: 'x', 'x-a': '1' });
  });

  it.each([
    ['api.example', 'http://api.example'],
    ['api.example:8080', 'http://api.example:8080'],
    ['', 'http://localhost'],
    ['a b', 'http://localhost'],
    ['a/b?c', 'http://localhost'],
  ])('has the origin of the Host header %j: %s', (host, origin) => {
    const { request } = received({ target: '/a?b=1', headers: ['Host', host] });
    expect(request.toRequest().url).toBe(`${origin}/a?b=1`);
  });

  it('aborts its signal when the connection closes before the response is complete', () => {
    const { request, outgoing } = received({});
    const { signal } = request;
    expect([signal.aborted, request.gone]).toEqual([false, false]);
    outgoing.destroy();
    outgoing.emit('close');
    expect([signal.aborted, request.gone, request.signal]).toEqual([true, true, signal]);
  });

  it('has an aborted signal if the connection is closed already', () => {
    const { request, outgoing } = received({});
    outgoing.destroy();
    expect(request.signal.aborted).toBe(true);
  });
});

describe('bodyOf', () => {
  const incoming = (contentType: string, wasRead: boolean): IncomingMessage => {
    const message = new IncomingMessage(new Socket());
    message.headers['content-type'] = contentType;
    Object.defineProperty(message, 'readableDidRead', { value: wasRead });
    return message;
  };

  it.each([
    ['an unread body', 'application/json', false, {}, WireBody],
    ['an unread body beside the default of a parser', 'application/json', false, { body: {} }, WireBody],
    ['kept bytes', 'application/json', true, { body: {}, rawBody: Buffer.from('{}') }, BytesBody],
    ['a kept text', 'text/csv', true, { rawBody: 'a,b' }, BytesBody],
    ['bytes of a raw parser', 'application/octet-stream', true, { body: Buffer.from('a') }, BytesBody],
    ['the text of a text parser', 'text/csv', true, { body: 'a,b' }, BytesBody],
    ['the fields of a form parser', 'application/x-www-form-urlencoded', true, { body: { a: '1' } }, BytesBody],
    ['the value of a JSON parser', 'application/json; charset=utf-8', true, { body: { a: 1 } }, ParsedBody],
    ['a body that was read and not kept', 'application/json', true, {}, DrainedBody],
    ['a parsed body of another media type', 'multipart/form-data', true, { body: { a: 1 } }, DrainedBody],
  ])('returns %s', (_name, contentType, wasRead, read, type) => {
    expect(bodyOf(incoming(contentType, wasRead), read)).toBeInstanceOf(type);
  });
});
