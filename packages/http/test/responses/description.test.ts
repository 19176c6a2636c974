import { gunzipSync } from 'node:zlib';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { createHandler } from '../../src/create-handler.ts';
import { createTestHost } from '../support/host.ts';

const path = 'http://x/api/v1/openapi.json';

async function handler(rateLimits = {}): Promise<(headers?: Record<string, string>) => Promise<Response>> {
  const { host } = await createTestHost();
  const { fetch } = createHandler({ ...host, clock: new VirtualClock() }, { rateLimits });
  return (headers = {}) => fetch(new Request(path, { headers }));
}

describe('the description of the API', () => {
  it('is compressed for a client that accepts gzip, with its own validator', async () => {
    const get = await handler();
    const [plain, gzipped] = [await get(), await get({ 'accept-encoding': 'br, gzip;q=0.8' })];
    const [text, bytes] = [await plain.text(), Buffer.from(await gzipped.arrayBuffer())];
    expect(gunzipSync(bytes).toString()).toBe(text);
    expect(bytes.length).toBeLessThan(text.length / 5);
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(Object.fromEntries(gzipped.headers)).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=300',
      vary: 'Accept-Encoding',
    });
    const etag = gzipped.headers.get('etag') ?? '';
    expect(etag).not.toBe(plain.headers.get('etag'));
    const known = await get({ 'accept-encoding': 'gzip', 'if-none-match': etag });
    expect([known.status, (await known.arrayBuffer()).byteLength]).toEqual([304, 0]);
  });

  it.each(['identity', 'br', 'gzip;q=0', '*;q=0'])(
    'is sent uncompressed to a client that accepts %s',
    async (accepted) => {
      const get = await handler();
      expect((await get({ 'accept-encoding': accepted })).headers.get('content-encoding')).toBeNull();
    },
  );

  it('is limited for clients without a key, with 429', async () => {
    const get = await handler({ descriptionsPerMinute: 3 });
    const statuses: number[] = [];
    for (let asked = 0; asked < 5; asked += 1) statuses.push((await get()).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = await get();
    expect(await refused.json()).toMatchObject({ code: 'rate_limit_exceeded' });
  });

  it('is not limited if the host turned the limit off', async () => {
    const get = await handler({ descriptionsPerMinute: 0 });
    const statuses = new Set<number>();
    for (let asked = 0; asked < 700; asked += 1) statuses.add((await get({ 'accept-encoding': 'gzip' })).status);
    expect([...statuses]).toEqual([200]);
  });
});
