import { describe, expect, it } from 'vitest';
import type { Agent, Call } from '../src/index.ts';
import { clientOf, thrownBy } from './support/client-of.ts';
import { json, type Received, startServer } from './support/scripted-server.ts';

const page = (key: string, ids: readonly number[], total: number) =>
  json(200, { [key]: ids.map((id) => ({ id })), pagination: { total, limit: 2, offset: 0 } });

const queriesOf = (received: readonly Received[]): string[] => received.map(({ url }) => url.split('?')[1] ?? '');

async function idsOf(records: AsyncIterable<Call | Agent | { id: string }>): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const { id } of records) ids.push(id);
  return ids;
}

describe('all()', () => {
  it('yields every record that matches the filter, page after page', async () => {
    const { baseUrl, received } = await startServer(
      page('calls', [5, 4], 5),
      page('calls', [3, 2], 5),
      page('calls', [1], 5),
    );
    const calls = clientOf(baseUrl).calls.all({ status: ['ended', 'failed'], agent_id: 'a1' }, { pageSize: 2 });
    expect(await idsOf(calls)).toEqual([5, 4, 3, 2, 1]);
    expect(queriesOf(received)).toEqual([
      'status=ended%2Cfailed&agent_id=a1&limit=2',
      'status=ended%2Cfailed&agent_id=a1&limit=2&offset=2',
      'status=ended%2Cfailed&agent_id=a1&limit=2&offset=4',
    ]);
  });

  it('yields no record twice when newer ones are added meanwhile', async () => {
    const { baseUrl, received } = await startServer(
      page('calls', [5, 4], 5),
      page('calls', [5, 4], 7),
      page('calls', [3, 2], 7),
      page('calls', [1], 7),
    );
    expect(await idsOf(clientOf(baseUrl).calls.all())).toEqual([5, 4, 3, 2, 1]);
    expect(queriesOf(received)).toEqual(['', 'offset=2', 'offset=4', 'offset=6']);
  });

  it('ends when records are deleted meanwhile', async () => {
    const { baseUrl } = await startServer(page('calls', [5, 4], 5), page('calls', [], 1));
    expect(await idsOf(clientOf(baseUrl).calls.all())).toEqual([5, 4]);
  });

  it('requests no page before its records are read', async () => {
    const { baseUrl, received } = await startServer(page('calls', [5, 4], 5), page('calls', [3, 2], 5));
    for await (const call of clientOf(baseUrl).calls.all()) if (call.id) break;
    expect(received).toHaveLength(1);
  });

  it('ends a list without a total at a page that is not full', async () => {
    const all = Array.from({ length: 1_000 }, (_, n) => ({ id: n }));
    const { baseUrl, received } = await startServer(json(200, { agents: all }), json(200, { agents: [{ id: 1_000 }] }));
    expect(await idsOf(clientOf(baseUrl).agents.all())).toHaveLength(1_001);
    expect(queriesOf(received)).toEqual(['', 'offset=1000']);
  });

  it('lists the records of a parent, such as the leads of a campaign', async () => {
    const { baseUrl, received } = await startServer(page('leads', [1], 1));
    expect(await idsOf(clientOf(baseUrl).leads.all('c1', { status: 'pending' }, { pageSize: 7 }))).toEqual([1]);
    expect(received[0]?.url).toBe('/voice/api/v1/campaigns/c1/leads?status=pending&limit=7');
  });

  it('throws the error of a page that fails', async () => {
    const { baseUrl } = await startServer(page('calls', [5, 4], 5), json(401, { code: 'unauthorized' }));
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { id } of clientOf(baseUrl).calls.all()) seen.push(id);
    })();
    expect(await thrownBy(reading)).toMatchObject({ code: 'unauthorized' });
    expect(seen).toEqual([5, 4]);
  });
});
