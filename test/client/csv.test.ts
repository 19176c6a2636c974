import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Csv, createClient } from '../../packages/client/src/index.ts';
import { clientOf, thrownBy } from '../../packages/client/test/support/client-of.ts';
import { hangUp, json, startServer } from '../../packages/client/test/support/scripted-server.ts';
import { type Api, openApi } from '../api/support/api.ts';
import { memoryStorage } from '../api/support/storages.ts';

const text = 'phone_number,name\n+31612345678,Zoë\n+31612345679,Jan\n';
const bytes = new TextEncoder().encode(text);

async function* inChunks(): AsyncGenerator<string> {
  for (let n = 0; n < text.length; n += 7) yield text.slice(n, n + 7);
}

const forms: readonly [string, () => Csv][] = [
  ['text', () => text],
  ['bytes', () => bytes],
  ['a part of larger bytes', () => Buffer.from(`x${text}`).subarray(1)],
  ['a blob', () => new Blob([text])],
  ['a stream', () => new Blob([text]).stream()],
  ['a stream of node’s', () => Readable.from([bytes.slice(0, 30), bytes.slice(30)])],
  ['an iterable of text', inChunks],
];

describe('the import of leads', () => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi(memoryStorage);
  });
  afterAll(() => api.close());

  it.each(forms)('takes %s', async (_, csv) => {
    const tenant = await api.tenant();
    const client = createClient({ baseUrl: api.origin, apiKey: tenant.key });
    const { id } = await tenant.newCampaign();
    const counts = { created: 2, skipped: 0, failed: 0, errors: [] };
    expect(await client.leads.import(id, csv(), { dry_run: true })).toEqual(counts);
    expect((await client.leads.list(id)).leads).toEqual([]);
    expect(await client.leads.import(id, csv(), { on_duplicate: 'error' })).toEqual(counts);
    const { leads } = await client.leads.list(id);
    expect(leads.map(({ name }) => name)).toEqual(['Zoë', 'Jan']);
  });

  it('sends a stream again when it has to', async () => {
    const { baseUrl, received } = await startServer(hangUp, json(200, { created: 2 }));
    await clientOf(baseUrl).leads.import('c1', new Blob([text]).stream());
    expect(received.map(({ body }) => body)).toEqual([text, text]);
    expect(received[1]?.headers).toMatchObject({
      'content-type': 'text/csv',
      'idempotency-key': received[0]?.headers['idempotency-key'],
    });
  });

  it('throws what a stream throws, and sends nothing', async () => {
    const { baseUrl, received } = await startServer(json(200, {}));
    const broken = (async function* (): AsyncGenerator<string> {
      yield 'phone_number\n';
      throw new Error('The disk is gone.');
    })();
    expect(await thrownBy(clientOf(baseUrl).leads.import('c1', broken))).toHaveProperty('message', 'The disk is gone.');
    expect(received).toHaveLength(0);
  });
});
