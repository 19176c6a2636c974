import { describe, expect, it } from 'vitest';
import { type ApiRequest, Transport } from '../../src/request/transport.ts';
import { thrownBy } from '../support/client-of.ts';

/** Sends a request without a network. */
async function send(
  request: ApiRequest,
  { baseUrl = 'https://example.com', answer = (): Response => Response.json({ ok: true }) } = {},
): Promise<{ readonly response: Response; readonly sent: Request }> {
  const sent: Request[] = [];
  const transport = new Transport({
    baseUrl,
    apiKey: 'va_live_test',
    retry: { limit: 0 },
    fetch: async (input, init) => {
      sent.push(new Request(input, init));
      return answer();
    },
  });
  const response = await transport.open(request);
  const [one] = sent;
  if (one === undefined) throw new Error('Nothing was sent.');
  return { response, sent: one };
}

const get: ApiRequest = { method: 'GET', path: 'agents' };

describe('Transport', () => {
  it.each([
    ['https://example.com', 'https://example.com/api/v1/agents'],
    ['https://example.com/', 'https://example.com/api/v1/agents'],
    ['https://example.com/voice', 'https://example.com/voice/api/v1/agents'],
    ['https://example.com/voice//', 'https://example.com/voice/api/v1/agents'],
    ['http://localhost:8080', 'http://localhost:8080/api/v1/agents'],
  ])('adds its path to the base URL %j', async (baseUrl, url) => {
    expect((await send(get, { baseUrl })).sent.url).toBe(url);
  });

  it.each<[object, string]>([
    [{}, ''],
    [{ limit: undefined }, ''],
    [{ limit: 0, dry_run: false, q: '' }, '?limit=0&dry_run=false&q='],
    [{ status: ['ended', 'failed'] }, '?status=ended%2Cfailed'],
    [{ q: 'a&b=c d+é' }, '?q=a%26b%3Dc+d%2B%C3%A9'],
  ])('writes the query %j', async (query, search) => {
    expect(new URL((await send({ ...get, query })).sent.url).search).toBe(search);
  });

  it('sends its key and accepts JSON, unless the request accepts something else', async () => {
    const { sent } = await send(get);
    expect(sent.headers.get('authorization')).toBe('Bearer va_live_test');
    expect(sent.headers.get('accept')).toBe('application/json');
    expect((await send({ ...get, headers: { accept: 'text/csv' } })).sent.headers.get('accept')).toBe('text/csv');
  });

  it('gives each POST an idempotency key of its own, and no other method', async () => {
    const keyOf = async (method: string) =>
      (await send({ method, path: 'agents' })).sent.headers.get('idempotency-key');
    const keys = [await keyOf('POST'), await keyOf('POST')];
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f-]{36}$/);
    for (const method of ['GET', 'PATCH', 'DELETE']) expect(await keyOf(method)).toBeNull();
  });

  it('sends JSON or bytes', async () => {
    const json = (await send({ method: 'POST', path: 'agents', json: { name: 'Zoë' } })).sent;
    expect([json.headers.get('content-type'), await json.text()]).toEqual(['application/json', '{"name":"Zoë"}']);
    const body = new Uint8Array([1, 2]);
    const headers = { 'content-type': 'text/csv' };
    const bytes = (await send({ method: 'POST', path: 'agents', body, headers })).sent;
    expect(bytes.headers.get('content-type')).toBe('text/csv');
    expect(new Uint8Array(await bytes.arrayBuffer())).toEqual(body);
  });

  it('returns a response with the status `goodStatus` instead of throwing', async () => {
    const answer = (): Response => Response.json({ checks: {} }, { status: 503 });
    expect((await send({ ...get, goodStatus: 503 }, { answer })).response.status).toBe(503);
    expect(await thrownBy(send({ ...get, goodStatus: 500 }, { answer }))).toMatchObject({ status: 503 });
  });

  it('names the path of an answer that is not JSON', async () => {
    const fetch = async (): Promise<Response> => new Response('<html>');
    const transport = new Transport({ baseUrl: 'https://example.com', apiKey: 'key', fetch });
    expect(await thrownBy(transport.json(get))).toMatchObject({
      code: 'invalid_answer',
      message: 'The answer to agents is not JSON.',
      cause: expect.any(SyntaxError),
    });
  });

  it('completes its retry policy with defaults', () => {
    const transport = new Transport({ baseUrl: 'https://example.com', apiKey: 'key', retry: { backoffMs: 5 } });
    expect(transport.retry).toEqual({ limit: 2, backoffMs: 5, maxRetryAfterMs: 60_000 });
    expect(transport.timeoutMs).toBe(30_000);
  });
});
