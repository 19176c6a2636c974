import { describe, expect, it } from 'vitest';
import { fetchRequest } from '../../src/server/fetch-request.ts';

const url = 'http://localhost/voice/api/v1/mcp?a=1&b=2';

describe('fetchRequest', () => {
  it('has the method, path, query and headers of the request', () => {
    const request = new Request(url, { method: 'POST', headers: { 'X-Name': 'value' }, body: '{}' });
    const converted = fetchRequest(request);
    expect(converted).toMatchObject({ method: 'POST', path: '/voice/api/v1/mcp', search: 'a=1&b=2', gone: false });
    expect([converted.header('x-name'), converted.header('other')]).toEqual(['value', null]);
    expect(converted.toRequest()).toBe(request);
  });

  it('is gone once the request is aborted', () => {
    const abort = new AbortController();
    const converted = fetchRequest(new Request(url, { signal: abort.signal }));
    abort.abort();
    expect(converted.gone).toBe(true);
  });

  it.each([
    ['a body of the maximum size', 'POST', '12345', '12345'],
    ['no body', 'GET', null, ''],
  ])('reads %s', async (_, method, body, expected) => {
    const { body: converted } = fetchRequest(new Request(url, { method, body }));
    expect(new TextDecoder().decode(await converted.bytes(5))).toBe(expected);
  });

  it('rejects a larger body with 413', async () => {
    const { body } = fetchRequest(new Request(url, { method: 'POST', body: '123456' }));
    await expect(body.bytes(5)).rejects.toMatchObject({ status: 413, code: 'body_too_large' });
  });

  it('reports whether the body is encoded', () => {
    const headers = { 'content-encoding': 'gzip' };
    expect(fetchRequest(new Request(url, { method: 'POST', body: 'x', headers })).body.isEncoded).toBe(true);
    expect(fetchRequest(new Request(url, { method: 'POST', body: 'x' })).body.isEncoded).toBe(false);
  });
});
