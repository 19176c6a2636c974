import type { Handler } from '@va/http';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ApiTool } from '../../src/server/api-tools.ts';
import { callApi } from '../../src/server/call-api.ts';

type ToolRoute = ApiTool['route'];

function toolOf(route: Partial<ToolRoute>): ApiTool {
  return {
    name: 'agents_get',
    title: 'Get an agent',
    description: '',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    scope: 'agents:read',
    route: { method: 'GET', path: '/agents/:id', query: null, body: null, ...route },
  };
}

interface Given {
  readonly response: Response;
  /** Headers of the MCP request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Calls a tool against an API that answers with a response. */
async function call(
  route: Partial<ToolRoute>,
  args: Readonly<Record<string, unknown>>,
  { response = Response.json({ ok: true }), headers = {} }: Partial<Given> = {},
) {
  const requests: Request[] = [];
  const api = {
    fetch: async (request: Request) => {
      requests.push(request);
      return response;
    },
  } as unknown as Handler;
  const result = await callApi(api, toolOf(route), args, new Headers(headers));
  const [content] = result.content;
  return { isError: result.isError ?? false, text: content?.type === 'text' ? content.text : '', request: requests[0] };
}

describe('callApi', () => {
  it('fills the path, and writes the query without unset fields', async () => {
    const { request } = await call(
      { path: '/campaigns/:id/leads/:lead_id' },
      { id: 'c1', lead_id: 'l1', query: { limit: 5, q: 'a&b', status: ['a', 'b'], from: null, to: undefined } },
    );
    expect(request?.method).toBe('GET');
    expect(request?.url).toBe('http://localhost/api/v1/campaigns/c1/leads/l1?limit=5&q=a%26b&status=a%2Cb');
  });

  it.each(['a/b', '../api-keys', 'a?b=c', 'a#b', 'ä'])('keeps the id %j within its part of the path', async (id) => {
    const { request } = await call({}, { id });
    expect(request?.url).toBe(`http://localhost/api/v1/agents/${encodeURIComponent(id)}`);
  });

  it.each([[undefined], [''], [7], [null], [{}]])('refuses the id %j without a request', async (id) => {
    const { isError, text, request } = await call({}, { id });
    expect([isError, request]).toEqual([true, undefined]);
    expect(text).toContain('part of the path');
  });

  it('sends a body as JSON, and an empty one where none is given', async () => {
    const route = { method: 'POST', path: '/agents', body: z.object({}) } as const;
    const { request } = await call(route, { body: { name: 'Zoë' } });
    expect(request?.headers.get('content-type')).toBe('application/json');
    expect(await request?.text()).toBe('{"name":"Zoë"}');
    expect(await (await call(route, {})).request?.text()).toBe('{}');
  });

  it('sends no body where the route takes none', async () => {
    const { request } = await call({ method: 'DELETE' }, { id: 'a1', body: { name: 'x' } });
    expect([await request?.text(), request?.headers.get('content-type')]).toEqual(['', null]);
  });

  it('passes on the credentials, but not the headers of the MCP request itself', async () => {
    const { request } = await call(
      {},
      { id: 'a1' },
      {
        headers: {
          authorization: 'Bearer va_live_1',
          'x-forwarded-for': '192.0.2.1',
          accept: 'text/event-stream',
          'content-type': 'application/json',
          'content-length': '99',
          'idempotency-key': 'k',
          'mcp-session-id': 's',
          'last-event-id': '7',
        },
      },
    );
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      authorization: 'Bearer va_live_1',
      'x-forwarded-for': '192.0.2.1',
    });
  });

  it('gives an error of the API as the result', async () => {
    const response = Response.json({ code: 'agent_not_found' }, { status: 404 });
    expect(await call({}, { id: 'a1' }, { response })).toMatchObject({
      isError: true,
      text: '404: {"code":"agent_not_found"}',
    });
  });

  it.each([
    ['hides webhook_secret', '{"agent":{"webhook_secret":"hush"}}', '{"agent":{"webhook_secret":"(hidden)"}}'],
    ['hides secret', '[{"secret":"hush"}]', '[{"secret":"(hidden)"}]'],
    ['keeps a secret that is not set', '{"secret":null}', '{"secret":null}'],
    ['keeps a field about a secret', '{"has_secret_since":"2026"}', '{"has_secret_since":"2026"}'],
    ['keeps a text that contains the word secret', '{"name":"my \\"secret\\""}', '{"name":"my \\"secret\\""}'],
  ])('%s', async (_, body, shown) => {
    expect((await call({}, { id: 'a1' }, { response: new Response(body) })).text).toBe(shown);
  });

  it('asks for less instead of a result beyond 200,000 characters', async () => {
    const response = (length: number) => ({ response: new Response('x'.repeat(length)) });
    expect((await call({}, { id: 'a1' }, response(200_000))).isError).toBe(false);
    const long = await call({}, { id: 'a1' }, response(200_001));
    expect(long).toMatchObject({ isError: true, text: expect.stringContaining('200001 characters') });
  });

  it('gives an empty text for an answer without a body', async () => {
    expect(await call({}, { id: 'a1' }, { response: new Response(null, { status: 204 }) })).toMatchObject({
      isError: false,
      text: '',
    });
  });
});
