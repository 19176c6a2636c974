import { Readable } from 'node:stream';
import { type Csv, createClient } from '@va/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  ['a part of a larger buffer', () => Buffer.from(`x${text}`).subarray(1)],
  ['a blob', () => new Blob([text])],
  ['a stream', () => new Blob([text]).stream()],
  ['a stream of Node', () => Readable.from([bytes.slice(0, 30), bytes.slice(30)])],
  ['an iterable of text', inChunks],
];

describe('leads.import of the client', () => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi(memoryStorage);
  });
  afterAll(() => api.close());

  it.each(forms)('accepts %s', async (_, csv) => {
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
});
