import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHandler } from '../../src/create-handler.ts';
import type { MetricsOptions } from '../../src/metrics/access.ts';
import { type Mounted, mount, mountings } from '../support/mounts.ts';
import { createProbeHost } from '../support/probe-host.ts';

const source = { contentType: 'text/plain; version=0.0.4; charset=utf-8', read: async () => 'va_calls_active 1\n' };
const authorization = 'Bearer scrape-token';

async function get(metrics: MetricsOptions | undefined, headers: Record<string, string> = {}): Promise<Response> {
  const { host } = createProbeHost();
  const handler = createHandler(host, metrics === undefined ? {} : { metrics });
  return await handler.fetch(new Request('http://x/api/v1/metrics', { headers }));
}

describe('the metrics', () => {
  it('are off by default', async () => {
    expect((await get(undefined, { authorization })).status).toBe(404);
  });

  it('require the bearer token, and refuse API keys', async () => {
    const metrics = { source, bearerToken: 'scrape-token' };
    for (const sent of ['', 'Bearer ', 'Bearer acme', 'Bearer scrape-tokem', 'Bearer scrape-token2', 'scrape-token']) {
      const refused = await get(metrics, { authorization: sent });
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect((await get(metrics)).status).toBe(401);
    expect((await get(metrics, { authorization })).status).toBe(200);
  });

  it('are shown to requests that the host authorizes', async () => {
    const authorize = (request: Request): boolean => request.headers.get('x-from') === 'prometheus';
    expect((await get({ source, authorize })).status).toBe(401);
    expect((await get({ source, authorize }, { 'x-from': 'prometheus' })).status).toBe(200);
  });
});

describe.each(mountings)('the metrics, mounted on $name', (mounting) => {
  let mounted: Mounted;
  beforeAll(async () => {
    const metrics = { source, bearerToken: 'scrape-token' };
    mounted = await mount(mounting, (options) => createHandler(createProbeHost().host, { ...options, metrics }));
  });
  afterAll(() => mounted.close());

  it('are text that Prometheus can parse', async () => {
    const response = await fetch(`${mounted.url}/metrics`, { headers: { authorization } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(source.contentType);
    expect(await response.text()).toBe('va_calls_active 1\n');
  });

  it('are served beside the probes', async () => {
    expect((await fetch(`${mounted.url}/health/ready`)).status).toBe(200);
    expect((await fetch(`${mounted.url}/health/live`)).status).toBe(200);
  });
});
