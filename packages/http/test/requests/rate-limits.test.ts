import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEngine } from '../../src/engine/engine.ts';
import type { Handler, HandlerOptions } from '../../src/engine/handler.ts';
import { defineOpenRoute, defineRoute } from '../../src/route/define-route.ts';
import { createProbeHost } from '../support/probe-host.ts';

const common = { summary: 'X', result: z.object({}), run: async () => ({}) };
const groups = {
  calls: {
    list: defineRoute({ ...common, method: 'GET', path: '/calls', scope: 'calls:read' }),
    control: defineRoute({
      ...common,
      method: 'POST',
      path: '/calls/:id/control',
      scope: 'calls:write',
      limit: ({ params }) => ({ name: 'control', key: params.id }),
    }),
    open: defineOpenRoute({ ...common, method: 'GET', path: '/open', scope: null }),
  },
};

let clock: VirtualClock;

beforeEach(() => {
  clock = new VirtualClock(new Date('2026-01-01T09:00:00.000Z'));
});

function create(rateLimits?: HandlerOptions['rateLimits']): Handler {
  return createEngine(createProbeHost({ clock }).host, groups, rateLimits === undefined ? {} : { rateLimits });
}

async function get(handler: Handler, path = '/calls', key = 'acme', method = 'GET'): Promise<Response> {
  return await handler.fetch(
    new Request(`http://x/api/v1${path}`, { method, headers: { authorization: `Bearer ${key}` } }),
  );
}

function limitsOf({ headers }: Response): (string | null)[] {
  return ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
}

describe('the limit of a key', () => {
  const reset = String(Date.parse('2026-01-01T09:01:00.000Z') / 1_000);

  it('is shown in every response to a known key, and enforced with 429 until the minute ends', async () => {
    const handler = create({ requestsPerMinute: 3 });
    expect(limitsOf(await get(handler))).toEqual(['3', '2', reset]);
    const forbidden = await get(handler, '/calls', 'acme:other');
    expect([forbidden.status, ...limitsOf(forbidden)]).toEqual([403, '3', '1', reset]);
    expect((await get(handler, '/calls', 'acme', 'HEAD')).status).toBe(200);
    await clock.advance(15_500);
    const refused = await get(handler);
    expect([refused.status, ...limitsOf(refused)]).toEqual([429, '3', '0', reset]);
    expect(refused.headers.get('retry-after')).toBe('45');
    expect(await refused.json()).toMatchObject({ code: 'rate_limit_exceeded', retry_after: 45 });
    expect((await get(handler, '/calls', 'other')).status).toBe(200);
    await clock.advance(44_500);
    expect((await get(handler)).status).toBe(200);
  });

  it('is 100 by default, and off with 0', async () => {
    expect(limitsOf(await get(create()))).toEqual(['100', '99', reset]);
    const unlimited = create({ requestsPerMinute: 0 });
    for (let n = 0; n < 150; n += 1) expect((await get(unlimited)).status).toBe(200);
    expect(limitsOf(await get(unlimited))).toEqual([null, null, null]);
  });

  it('is shown but not counted for requests without a valid key, and without a route that needs one', async () => {
    const handler = create();
    const uncounted = [
      await get(handler, '/calls', ''),
      await get(handler, '/open'),
      await get(handler, '/nowhere'),
      await get(handler, '/calls', 'acme', 'PUT'),
      await get(handler, '/calls', 'acme', 'OPTIONS'),
    ];
    expect(uncounted.map(({ status }) => status)).toEqual([401, 200, 404, 405, 204]);
    for (const answer of uncounted) expect(limitsOf(answer)).toEqual(['100', '100', reset]);
  });

  it('counts subjects if the host has no keys', async () => {
    const host = createProbeHost({
      clock,
      authenticate: async ({ toRequest }) => {
        const subject = toRequest().headers.get('x-subject') ?? '';
        return { orgId: 'acme', scopes: ['*'], keyId: null, subject };
      },
    }).host;
    const handler = createEngine(host, groups, { rateLimits: { requestsPerMinute: 1 } });
    const as = async (subject: string): Promise<number> => {
      const request = new Request('http://x/api/v1/calls', { headers: { 'x-subject': subject } });
      return (await handler.fetch(request)).status;
    };
    expect([await as('ann'), await as('bob'), await as('ann')]).toEqual([200, 200, 429]);
  });
});

describe('the limit of control commands', () => {
  it('applies to each call, in addition to the limit of the key', async () => {
    const handler = create({ controlPerMinute: 2 });
    const control = (id: string, key = 'acme'): Promise<Response> => get(handler, `/calls/${id}/control`, key, 'POST');
    await control('1');
    expect(limitsOf(await control('1')).slice(0, 2)).toEqual(['2', '0']);
    const refused = await control('1');
    expect([refused.status, ...limitsOf(refused).slice(0, 2)]).toEqual([429, '2', '0']);
    expect((await control('2')).status).toBe(200);
    expect((await control('1', 'other')).status).toBe(200);
    expect(limitsOf(await get(handler)).slice(0, 2)).toEqual(['100', '95']);
  });

  it('is off with 0', async () => {
    const handler = create({ controlPerMinute: 0 });
    for (let n = 0; n < 20; n += 1) expect((await get(handler, '/calls/1/control', 'acme', 'POST')).status).toBe(200);
  });
});
