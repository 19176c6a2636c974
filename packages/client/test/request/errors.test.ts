import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError } from '../../src/index.ts';
import { readRetryAfterMs, toApiError } from '../../src/request/errors.ts';
import { clientOf, stalled, thrownBy } from '../support/client-of.ts';
import { json, startServer } from '../support/scripted-server.ts';

describe('readRetryAfterMs', () => {
  const read = (text: string): number | null => readRetryAfterMs(new Headers({ 'retry-after': text }));

  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 3 ', 3_000],
    ['99999999999', 99_999_999_999_000],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['Wednesday, 21-Oct-15 07:28:00 GMT', 0],
  ])('reads %j', (text, ms) => {
    expect(read(text)).toBe(ms);
  });

  it('reads a date in the future as the remaining time', () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    expect(Math.round((read(inAnHour) ?? 0) / 60_000)).toBe(60);
  });

  it.each(['', '-5', '1.5', '1e3', 'soon', '5 seconds'])('ignores %j', (text) => {
    expect(read(text)).toBeNull();
  });

  it('returns null without the header', () => {
    expect(readRetryAfterMs(new Headers())).toBeNull();
  });
});

describe('toApiError', () => {
  const errorOf = async (body: string | null, status = 400): Promise<ApiError> =>
    await toApiError(new Response(body, { status, headers: { 'x-request-id': 'r1' } }), 1_000);

  it('keeps only what has the expected types', async () => {
    const body = {
      ...{ code: 7, message: ['x'], param: {} },
      errors: [{ path: 'name', code: 'required', message: 'Required.' }, { path: 1, code: 'x', message: 'y' }, null],
    };
    expect(await errorOf(JSON.stringify(body), 422)).toMatchObject({
      ...{ code: 'http_422', param: null, requestId: 'r1', retryAfterMs: null },
      message: expect.stringContaining('422'),
      errors: [{ path: 'name', code: 'required', message: 'Required.' }],
    });
  });

  it.each([null, '', '<html>', '[]', 'null', '"text"', '{"code":'])(
    'reads the body %j as that of a proxy',
    async (body) => {
      expect(await errorOf(body, 502)).toMatchObject({ code: 'http_502', status: 502, errors: [], param: null });
    },
  );
});

describe('an error response whose body stalls', () => {
  it.each([400, 409, 503])('with the status %i is reported as such within the timeout', async (status) => {
    const fetch = stalled(status, '{"code":');
    const client = clientOf('http://localhost', { fetch, timeoutMs: 100, retry: { limit: 0 } });
    expect(await thrownBy(client.agents.get('a'))).toMatchObject({ status, code: `http_${status}` });
  });

  it('rejects with the reason of an aborted signal', async () => {
    const leaving = new AbortController();
    const { baseUrl } = await startServer((response) => {
      response.writeHead(400).write('{"code":');
      leaving.abort(new Error('left'));
    });
    const request = clientOf(baseUrl).agents.get('a', { signal: leaving.signal });
    expect(await thrownBy(request)).toMatchObject({ message: 'left' });
  });
});

describe('a result whose body cannot be used', () => {
  it('is a timeout when it stalls', async () => {
    const { baseUrl, received } = await startServer((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"agent":'),
    );
    const thrown = await thrownBy(clientOf(baseUrl).agents.get('a', { timeoutMs: 50 }));
    expect(thrown).toBeInstanceOf(ConnectionError);
    expect(thrown).toMatchObject({ code: 'timeout' });
    expect(received).toHaveLength(1);
  });

  it('is a broken connection when it is cut off', async () => {
    const { baseUrl } = await startServer((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"agent":', () => response.destroy());
    });
    expect(await thrownBy(clientOf(baseUrl).agents.get('a'))).toMatchObject({ code: 'connection' });
  });

  it.each(['', '<html>', '{"agent":'])('is an invalid answer when it is %j', async (text) => {
    const { baseUrl } = await startServer((response) => response.end(text));
    expect(await thrownBy(clientOf(baseUrl).agents.get('a'))).toMatchObject({ code: 'invalid_answer' });
  });

  it('is undefined when the expected key is missing, because results are not validated', async () => {
    const { baseUrl } = await startServer(json(200, { other: 1 }));
    expect(await clientOf(baseUrl).agents.get('a')).toBeUndefined();
  });
});

it('an apiKey function that fails › rejects the request without sending it', async () => {
  const { baseUrl, received } = await startServer(json(200, {}));
  const apiKey = (): Promise<string> => Promise.reject(new Error('expired'));
  expect(await thrownBy(clientOf(baseUrl, { apiKey }).agents.list())).toMatchObject({ message: 'expired' });
  expect(received).toEqual([]);
});

it('ApiError › is an Error with its own name', async () => {
  const { baseUrl } = await startServer(json(404, { code: 'agent_not_found', message: 'No such agent.' }));
  const thrown = await thrownBy(clientOf(baseUrl).agents.get('a'));
  expect(thrown).toBeInstanceOf(ApiError);
  expect(String(thrown)).toBe('ApiError: No such agent.');
});
