import { afterEach, describe, expect, it, vi } from 'vitest';
import { ticketOf } from '../../src/client/ticket.ts';

const call = { baseUrl: 'https://example.com/voice/', publishableKey: 'va_pk_1', agentId: 'a' };
const requests: { url: string; body: unknown; authorization: string | null }[] = [];

function answer(respond: () => Response | Promise<Response>): void {
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const authorization = new Headers(init.headers).get('authorization');
    requests.push({ url, body: JSON.parse(String(init.body)), authorization });
    return await respond();
  });
}
afterEach(() => {
  vi.unstubAllGlobals();
  requests.length = 0;
});

describe('ticketOf', () => {
  it('returns a given ticket without a request', async () => {
    answer(() => expect.fail('Nothing is requested.'));
    const ticket = { url: 'wss://example.com', token: 't' };
    expect(await ticketOf(ticket)).toBe(ticket);
  });

  it('requests a ticket with a publishable key', async () => {
    answer(() => Response.json({ url: 'wss://x', token: 't', call_id: 'c' }));
    expect(await ticketOf({ ...call, variables: { name: 'Jan' } })).toEqual({ url: 'wss://x', token: 't' });
    expect(requests).toEqual([
      {
        url: 'https://example.com/voice/api/v1/calls/web',
        body: { agent_id: 'a', variables: { name: 'Jan' } },
        authorization: 'Bearer va_pk_1',
      },
    ]);
  });

  it.each([
    [
      403,
      { code: 'origin_not_allowed', message: 'The key does not allow this page.' },
      'The key does not allow this page.',
    ],
    [429, {}, '429'],
    [500, null, '500'],
    [200, { url: 'wss://x' }, '200'],
    [200, { url: 7, token: 't' }, '200'],
    [200, 'text', '200'],
  ])('rejects with token-refused for the status %i with the body %j', async (status, body, message) => {
    answer(() => Response.json(body, { status }));
    await expect(ticketOf(call)).rejects.toMatchObject({
      ...{ name: 'WebCallError', code: 'token-refused' },
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['the network fails', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a proxy responds with a page', () => new Response('<html>', { status: 502 })],
  ])('rejects with connection-failed when %s', async (_, respond) => {
    answer(respond);
    await expect(ticketOf(call)).rejects.toMatchObject({ code: 'connection-failed' });
  });
});
