import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError } from '../../src/index.ts';
import { clientOf, thrownBy } from '../support/client-of.ts';
import { hangUp, hold, json, startServer } from '../support/scripted-server.ts';

const noRetries = { retry: { limit: 0 } };

describe('the errors of a request', () => {
  it('have the fields of the service’s error', async () => {
    const errors = [{ path: 'phone_number', code: 'invalid_phone_number', message: 'expected E.164' }];
    const refusal = {
      error: 'Bad Request',
      code: 'invalid_phone_number',
      message: 'No.',
      param: 'phone_number',
      errors,
    };
    const { baseUrl } = await startServer(json(400, { ...refusal, request_id: 'r1' }, { 'x-request-id': 'r1' }));
    const error = await thrownBy(clientOf(baseUrl).numbers.register({ phone_number: '1' }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: 'ApiError',
      status: 400,
      code: 'invalid_phone_number',
      message: 'No.',
      param: 'phone_number',
      errors,
      requestId: 'r1',
      retryAfterMs: null,
    });
  });

  it('have the Retry-After of the response in milliseconds, given in seconds or as a date', async () => {
    const { baseUrl } = await startServer(
      json(429, {}, { 'retry-after': '7' }),
      json(429, {}, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }),
      json(429, {}, { 'retry-after': 'soon' }),
    );
    const client = clientOf(baseUrl, noRetries);
    const waits: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      const error = await thrownBy(client.agents.list());
      waits.push(error instanceof ApiError ? error.retryAfterMs : error);
    }
    expect(waits).toEqual([7_000, expect.any(Number), null]);
    expect(waits[1]).toBeGreaterThan(3_500_000);
  });

  it('have the status of a response that is not one of the service', async () => {
    const { baseUrl } = await startServer(
      (response) => response.writeHead(418).end('<html>'),
      json(418, ['no', 'error']),
      json(418, { errors: [{ path: 1 }, 'text', null] }),
    );
    const client = clientOf(baseUrl);
    for (let n = 0; n < 3; n += 1) {
      const facts = { status: 418, code: 'http_418', param: null, errors: [], requestId: null };
      expect(await thrownBy(client.agents.list())).toMatchObject(facts);
    }
  });

  it('distinguish a lost connection, a timeout and an unreadable response', async () => {
    const { baseUrl } = await startServer(
      hold,
      (response) => response.writeHead(200).write('{"agents":'),
      (response) => response.end('<html>'),
      hangUp,
      (response) => response.writeHead(200).write('{"agents":', () => response.destroy()),
    );
    const client = clientOf(baseUrl, noRetries);
    for (const code of ['timeout', 'timeout', 'invalid_answer', 'connection', 'connection']) {
      // The last three have no short timeout, which a busy machine could exceed.
      const error = await thrownBy(client.agents.list({}, code === 'timeout' ? { timeoutMs: 200 } : {}));
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ name: 'ConnectionError', code });
    }
    const nowhere = clientOf('http://127.0.0.1:1', noRetries);
    expect(await thrownBy(nowhere.agents.list())).toMatchObject({ code: 'connection', cause: expect.any(Error) });
  });
});

describe('the client', () => {
  it('refuses an id that would change the path, and escapes any other', async () => {
    const { baseUrl, received } = await startServer(json(200, { agent: {} }));
    const client = clientOf(baseUrl);
    for (const id of ['', '.', '..']) expect(await thrownBy(client.agents.delete(id))).toBeInstanceOf(TypeError);
    await client.agents.get('../numbers?x=1#y');
    expect(received.map(({ url }) => url)).toEqual(['/voice/api/v1/agents/..%2Fnumbers%3Fx%3D1%23y']);
  });
});
