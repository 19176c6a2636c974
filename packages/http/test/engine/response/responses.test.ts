import type { UnderlyingSource } from 'node:stream/web';
import { RequestError } from '@va/core';
import { describe, expect, it } from 'vitest';
import { errorResponse, toRequestError } from '../../../src/engine/response/error-response.ts';
import { serveRecording } from '../../../src/engine/response/recording.ts';
import { vary } from '../../../src/engine/response/vary.ts';
import { watchStream } from '../../../src/engine/response/watched-stream.ts';
import { HttpError } from '../../../src/message/http-error.ts';
import { requestOf } from '../../support/request.ts';

describe('vary', () => {
  it.each([
    [undefined, ['Origin'], 'Origin'],
    ['Accept', ['Origin'], 'Accept, Origin'],
    ['accept,ORIGIN', ['Origin', 'Authorization'], 'accept, ORIGIN, Authorization'],
    ['Accept', [], 'Accept'],
  ])('adds to %j the names %j once', (existing, names, expected) => {
    expect(vary(existing, ...names)).toBe(expected);
  });
});

describe('toRequestError', () => {
  it('keeps an error for the client, and hides every other one', () => {
    const refusal = new RequestError(404, 'agent_not_found', 'There is no such agent.');
    expect(toRequestError(refusal)).toBe(refusal);
    for (const thrown of [new Error('password=1'), 'password=1', undefined, { status: 404 }]) {
      const error = toRequestError(thrown);
      expect([error.status, error.code]).toEqual([500, 'internal_error']);
      expect(error.message).not.toContain('password');
    }
  });
});

describe('errorResponse', () => {
  const fault = { path: 'name', code: 'missing_field', message: 'is required' };
  const error = new RequestError(400, 'missing_field', 'name: is required', [fault]);
  const bodyOf = ({ body }: { body: unknown }): unknown => JSON.parse(String(body));

  it('has the flat form of the API', () => {
    const response = errorResponse(error, null, 'r1');
    expect([response.status, response.headers['content-type']]).toEqual([400, 'application/json']);
    expect(bodyOf(response)).toEqual({
      ...{ error: 'Bad Request', code: 'missing_field', message: 'name: is required', param: 'name' },
      ...{ details: ['name: is required'], errors: [fault], request_id: 'r1' },
    });
  });

  it('has the form of RFC 9457 for a client that prefers it', () => {
    const response = errorResponse(error, 'application/problem+json', 'r1');
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(bodyOf(response)).toEqual({
      ...{ type: 'about:blank', title: 'Bad Request', status: 400, detail: 'name: is required' },
      ...{ code: 'missing_field', param: 'name', details: ['name: is required'], errors: [fault], request_id: 'r1' },
    });
  });

  it.each([
    ['several faults', [fault, { ...fault, path: 'agent_id' }], ['name: is required', 'agent_id: is required']],
    ['a fault of the whole body', [{ ...fault, path: '' }], ['is required']],
    ['no fault', [], []],
  ])('names no single field for %s', (_name, faults, details) => {
    const response = errorResponse(new RequestError(400, 'invalid_field', 'x', faults), null, 'r1');
    expect(bodyOf(response)).toMatchObject({ param: null, details });
  });

  it('states when to retry, in the header and the body', () => {
    const limited = new HttpError(429, 'rate_limit_exceeded', 'Too many.', { 'retry-after': '7' });
    const response = errorResponse(limited, null, 'r1');
    expect(response.headers['retry-after']).toBe('7');
    expect(bodyOf(response)).toMatchObject({ retry_after: 7 });
    expect(bodyOf(errorResponse(error, null, 'r1'))).not.toHaveProperty('retry_after');
  });

  it('names the scheme of credentials with 401 only', () => {
    const refused = errorResponse(new RequestError(401, 'unauthorized', 'Send a key.'), null, 'r1');
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    expect(errorResponse(error, null, 'r1').headers).not.toHaveProperty('www-authenticate');
  });

  it('announces the length of its body in bytes', () => {
    const { headers, body } = errorResponse(new RequestError(400, 'x', 'é€'), null, 'r1');
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(String(body)));
  });
});

describe('serveRecording', () => {
  const read: (object | undefined)[] = [];
  const recording = {
    contentType: 'audio/wav',
    byteLength: 1_000,
    read: (range?: object) => {
      read.push(range);
      return new ReadableStream<Uint8Array>();
    },
  };
  const serve = (headers: Record<string, string>, method = 'GET') => {
    read.length = 0;
    return serveRecording(recording, requestOf({ method, headers }));
  };

  it.each([
    ['all bytes without a range', {}, 200, '1000', undefined, undefined],
    ['a range', { range: 'bytes=100-199' }, 206, '100', 'bytes 100-199/1000', { start: 100, end: 199 }],
    ['the last bytes', { range: 'bytes=-5' }, 206, '5', 'bytes 995-999/1000', { start: 995, end: 999 }],
    ['all bytes for several ranges', { range: 'bytes=0-1,5-6' }, 200, '1000', undefined, undefined],
    ['all bytes with If-Range', { range: 'bytes=0-1', 'if-range': '"x"' }, 200, '1000', undefined, undefined],
  ])('sends %s', (_name, headers, status, length, contentRange, range) => {
    const response = serve(headers);
    expect(response.status).toBe(status);
    expect(response.headers['content-length']).toBe(length);
    expect(response.headers['content-range']).toBe(contentRange);
    expect(read).toEqual([range]);
  });

  it('refuses a range beyond the end, with the length', () => {
    const refusal = { status: 416, headers: { 'content-range': 'bytes */1000' } };
    expect(() => serve({ range: 'bytes=1000-' })).toThrow(expect.objectContaining(refusal));
  });

  it('reads nothing for HEAD', () => {
    expect([serve({}, 'HEAD').body, read]).toEqual([null, []]);
  });

  it('redirects to a URL of the store, unless the client cannot follow it', () => {
    const stored = { ...recording, url: 'https://s3.example/x' };
    const { status, headers } = serveRecording(stored, requestOf({}));
    expect([status, headers.location, headers['cache-control']]).toEqual([302, 'https://s3.example/x', 'no-store']);
    expect(serveRecording(stored, requestOf({}), false).status).toBe(200);
  });
});

describe('watchStream', () => {
  function watched(source: UnderlyingSource<Uint8Array>) {
    const seen: unknown[] = [];
    const { stream, end } = watchStream(new ReadableStream(source, { highWaterMark: 0 }), {
      onEnd: () => seen.push('end'),
      onError: (error) => seen.push(error),
    });
    return { seen, reader: stream.getReader(), end };
  }
  const byte = new Uint8Array(1);

  it('passes chunks on, and reports the end once', async () => {
    const { seen, reader, end } = watched({
      pull(controller) {
        controller.enqueue(byte);
        controller.close();
      },
    });
    expect(await reader.read()).toEqual({ done: false, value: byte });
    expect(await reader.read()).toMatchObject({ done: true });
    end();
    await reader.cancel();
    expect(seen).toEqual(['end']);
  });

  it('pulls no chunk before its reader asks for one', async () => {
    let pulls = 0;
    const { reader } = watched({
      pull(controller) {
        pulls += 1;
        controller.enqueue(byte);
      },
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(pulls).toBe(0);
    await reader.read();
    expect(pulls).toBe(1);
  });

  it('reports the error of the source, and gives its reader a generic one', async () => {
    const error = new Error('the disk');
    const { seen, reader } = watched({ pull: () => Promise.reject(error) });
    await expect(reader.read()).rejects.toThrow('The response was interrupted.');
    expect(seen).toEqual(['end', error]);
  });

  it('cancels the source when its reader cancels', async () => {
    const reasons: unknown[] = [];
    const { seen, reader } = watched({ cancel: (reason) => void reasons.push(reason) });
    await reader.cancel('gone');
    expect([reasons, seen]).toEqual([['gone'], ['end']]);
  });

  it('ends for its reader on request, although the source goes on', async () => {
    let isCancelled = false;
    const { seen, reader, end } = watched({
      pull: () => new Promise(() => {}),
      cancel: () => {
        isCancelled = true;
      },
    });
    const reading = reader.read();
    end();
    expect(await reading).toMatchObject({ done: true });
    expect([isCancelled, seen]).toEqual([true, ['end']]);
  });
});
