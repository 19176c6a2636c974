import { describe, expect, it } from 'vitest';
import { clientOf, stalled, thrownBy } from './support/client-of.ts';
import { json, startServer } from './support/scripted-server.ts';

describe('the health of the service', () => {
  it('is a result also when the service is unavailable', async () => {
    const ill = { status: 'unavailable', version: '1', timestamp: 't', checks: { storage: { status: 'failed' } } };
    const { baseUrl, received } = await startServer(json(503, ill));
    expect(await clientOf(baseUrl).health.get()).toEqual(ill);
    expect(received).toHaveLength(1);
  });

  it('is an error when a proxy responds', async () => {
    const { baseUrl } = await startServer(
      (response) => response.writeHead(503).end('<html>'),
      json(503, { code: 'unavailable' }),
    );
    expect(await thrownBy(clientOf(baseUrl).health.get())).toMatchObject({ status: 503, code: 'http_503' });
    expect(await thrownBy(clientOf(baseUrl).health.get())).toMatchObject({ status: 503, code: 'unavailable' });
  });

  it('is not awaited longer than the timeout when its body stalls', async () => {
    const client = clientOf('http://localhost', { fetch: stalled(503, '{"checks":'), timeoutMs: 50 });
    expect(await thrownBy(client.health.get())).toMatchObject({ code: 'http_503' });
  });
});
