import { describe, expect, it } from 'vitest';
import { createClient } from '../src/index.ts';

/** Loads a recording by a `fetch` with one response. */
async function load(response: Response, options?: { range?: { start: number; end?: number }; redirect?: boolean }) {
  const requests: Request[] = [];
  const client = createClient({
    ...{ baseUrl: 'https://example.com', apiKey: 'key', retry: { limit: 0 } },
    fetch: async (input, init) => {
      requests.push(new Request(input, init));
      return response;
    },
  });
  const recording = await client.calls.recording('c1', options);
  return { recording, request: requests[0] };
}
const wav = (status: number, headers: Record<string, string>): Response =>
  new Response(status === 204 ? null : 'RIFF', { status, headers });

describe('a recording', () => {
  it('has the bytes, their type and their number', async () => {
    const headers = { 'content-type': 'audio/wav', 'content-length': '4' };
    const { recording, request } = await load(wav(200, headers));
    expect(recording).toMatchObject({ contentType: 'audio/wav', byteLength: 4, range: null });
    expect(await new Response(recording.body).text()).toBe('RIFF');
    expect([request?.headers.get('range'), request?.headers.get('accept')]).toEqual([null, '*/*']);
  });

  it('without headers and body is empty, of an unknown length', async () => {
    const { recording } = await load(new Response(null));
    expect(recording).toMatchObject({ contentType: 'application/octet-stream', byteLength: null });
    expect(await new Response(recording.body).text()).toBe('');
  });

  it.each([
    [{ start: 0, end: 99 }, 'bytes=0-99'],
    [{ start: 100 }, 'bytes=100-'],
  ])('is requested with the range %j', async (range, header) => {
    const { request } = await load(wav(206, {}), { range });
    expect(request?.headers.get('range')).toBe(header);
  });

  it.each([
    [206, 'bytes 10-19/200', { start: 10, end: 19, totalBytes: 200 }],
    [206, 'bytes */200', null],
    [206, 'bytes 10-19/*', null],
    [200, 'bytes 10-19/200', null],
  ])('with the status %i and %j has the range %j', async (status, contentRange, range) => {
    expect((await load(wav(status, { 'content-range': contentRange }))).recording.range).toEqual(range);
  });

  it.each([
    [undefined, ''],
    [false, '?redirect=false'],
  ])('with `redirect` %s has the query %j', async (redirect, query) => {
    const { request } = await load(wav(200, {}), redirect === undefined ? {} : { redirect });
    expect(request?.url).toBe(`https://example.com/api/v1/calls/c1/recording${query}`);
  });
});
