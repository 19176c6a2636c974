import { describe, expect, it } from 'vitest';
import { clientOf, thrownBy } from './support/client-of.ts';
import { json, startServer } from './support/scripted-server.ts';

describe('the health of the service', () => {
  it('is told also by one that cannot do its work', async () => {
    const ill = { status: 'unavailable', version: '1', timestamp: 't', checks: { storage: { status: 'failed' } } };
    const { baseUrl, received } = await startServer(json(503, ill));
    expect(await clientOf(baseUrl).health.get()).toEqual(ill);
    expect(received).toHaveLength(1);
  });

  it('is not told by what stands before the service', async () => {
    const { baseUrl } = await startServer(
      (response) => response.writeHead(503).end('<html>'),
      json(503, { code: 'unavailable' }),
    );
    expect(await thrownBy(clientOf(baseUrl).health.get())).toMatchObject({ status: 503, code: 'http_503' });
    expect(await thrownBy(clientOf(baseUrl).health.get())).toMatchObject({ status: 503, code: 'unavailable' });
  });
});
