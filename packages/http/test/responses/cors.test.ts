import { describe, expect, it } from 'vitest';
import { Cors, decorateForPage, preflightForPages } from '../../src/engine/cors.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { HandlerOptions } from '../../src/engine/handler.ts';
import { createProbeHost, type ProbeHost } from '../support/probe-host.ts';
import { Probe, probeRoutes } from '../support/probe-routes.ts';

const allowed = 'https://app.example.com';

async function ask(
  cors: HandlerOptions['cors'],
  method: string,
  path: string,
  headers: Record<string, string> = {},
  probed: ProbeHost = createProbeHost(),
): Promise<Response> {
  const handler = createEngine(probed.host, probeRoutes(new Probe()), cors === undefined ? {} : { cors });
  return await handler.fetch(new Request(`http://x/api/v1${path}`, { method, headers }));
}

describe('CORS', () => {
  const cors = { origins: [allowed] };

  it('is off by default: OPTIONS lists the methods, and no origin is allowed', async () => {
    const response = await ask(undefined, 'OPTIONS', '/things/1', { origin: allowed });
    expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([
      204,
      'GET, HEAD, OPTIONS',
      '',
    ]);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(response.headers.get('x-request-id')).not.toBeNull();
    expect((await ask(undefined, 'OPTIONS', '/nowhere')).status).toBe(404);
  });

  it('responds to a preflight', async () => {
    const { status, headers } = await ask({ ...cors, maxAgeSeconds: 60 }, 'OPTIONS', '/made', {
      origin: allowed,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,idempotency-key',
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(allowed);
    expect(headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
    expect(headers.get('access-control-allow-headers')).toMatch(/Authorization, .*Idempotency-Key/);
    expect(headers.get('access-control-max-age')).toBe('60');
    expect(headers.get('vary')).toBe('Access-Control-Request-Method, Access-Control-Request-Headers, Origin');
    expect(headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('lets a page read responses and their headers', async () => {
    const { headers } = await ask(cors, 'GET', '/things/1', { origin: allowed });
    expect(headers.get('access-control-allow-origin')).toBe(allowed);
    for (const name of [
      'X-Request-Id',
      'X-RateLimit-Reset',
      'Location',
      'ETag',
      'Retry-After',
      'Idempotent-Replayed',
    ]) {
      expect(headers.get('access-control-expose-headers')?.split(', ')).toContain(name);
    }
    expect(headers.get('vary')).toBe('Origin');
  });

  it.each([
    ['GET', '/address', 401],
    ['GET', '/nowhere', 404],
    ['PUT', '/made', 405],
  ])('lets a page read the error of %s %s', async (method, path, status) => {
    const response = await ask(cors, method, path, { origin: allowed });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, allowed]);
    expect(response.headers.get('vary')).toBe('Accept, Origin');
  });

  it.each([
    'https://evil.example',
    'https://app.example.com.evil.example',
    'https://APP.example.com',
    'null',
    `${allowed}/`,
  ])('allows nothing to %s', async (origin) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await ask(cors, method, '/things/1', { origin });
      expect(headers.has('access-control-allow-origin')).toBe(false);
      expect(headers.get('vary')).toContain('Origin');
    }
  });

  it('keeps a cache from reusing a response without an origin for a page', async () => {
    const { headers } = await ask(cors, 'GET', '/things/1');
    expect([headers.get('vary'), headers.has('access-control-allow-origin')]).toEqual(['Origin', false]);
  });

  it('allows all origins with *', async () => {
    const { headers } = await ask({ origins: '*' }, 'GET', '/things/1', { origin: 'https://any.example' });
    expect([headers.get('access-control-allow-origin'), headers.has('vary')]).toEqual(['*', false]);
  });

  it('calls the function of the host, and allows nothing if it throws', async () => {
    const origins = (origin: string): boolean => origin.endsWith('.example.com');
    const asked = await ask({ origins }, 'GET', '/things/1', { origin: allowed });
    expect(asked.headers.get('access-control-allow-origin')).toBe(allowed);
    const probed = createProbeHost();
    const failing = (): boolean => {
      throw new Error('no');
    };
    const refused = await ask({ origins: failing }, 'GET', '/things/1', { origin: allowed }, probed);
    expect([refused.status, refused.headers.has('access-control-allow-origin')]).toEqual([200, false]);
    expect(probed.logged).toMatchObject([{ message: 'cors.origins threw' }]);
  });
});

describe('CORS of pages with a publishable key', () => {
  it('lets the origin of the key read a response, and keeps what the response varies by', () => {
    const headers: Record<string, string> = { vary: 'Accept' };
    decorateForPage(headers, allowed);
    expect(headers).toMatchObject({ 'access-control-allow-origin': allowed, vary: 'Accept, Origin' });
    expect(headers['access-control-expose-headers']).toContain('Retry-After');
  });

  it('allows the preflight of any origin to send a POST with a key', () => {
    const headers: Record<string, string> = { allow: 'POST, OPTIONS' };
    preflightForPages(headers);
    expect(headers).toEqual({
      allow: 'POST, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Authorization, Content-Type',
      'access-control-max-age': '600',
    });
  });
});

describe('Cors.allows', () => {
  const { logger } = createProbeHost().host;

  it.each([
    ['a listed origin', [allowed], allowed, true],
    ['another origin', [allowed], 'https://evil.example', false],
    ['no origin', [allowed], null, false],
    ['no origin if all are allowed', '*', null, true],
    ['an origin that the host allows', (origin: string) => origin === allowed, allowed, true],
    ['no origin, without asking the host', () => true, null, false],
  ] as const)('decides on %s', (_name, origins, origin, expected) => {
    expect(new Cors({ origins }, logger).allows(origin)).toBe(expected);
  });
});
