import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CampaignProgress, createClient } from '../../packages/client/src/index.ts';
import { clientOf, thrownBy } from '../../packages/client/test/support/client-of.ts';
import { json, startServer } from '../../packages/client/test/support/scripted-server.ts';
import { type Api, openApi } from '../api/support/api.ts';
import { memoryStorage } from '../api/support/storages.ts';

function progress(fields: object): string {
  const data = { id: 'c1', status: 'running', total_leads: 9, pending_leads: 5, calling_leads: 0, ...fields };
  return `event: progress\ndata: ${JSON.stringify(data)}\n\n`;
}

function stream(text: string, end: 'end' | 'hold' = 'end'): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text);
    if (end === 'end') response.end();
  };
}

async function collect(events: AsyncIterable<CampaignProgress>): Promise<string[]> {
  const told: string[] = [];
  for await (const { status, pending_leads: pending } of events) told.push(`${status} ${pending}`);
  return told;
}

describe('watching a campaign', () => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi(memoryStorage);
  });
  afterAll(() => api.close());

  it('gives how far it is until all is over', async () => {
    const tenant = await api.tenant();
    const client = createClient({ baseUrl: api.origin, apiKey: tenant.key });
    const { id } = await tenant.newCampaign();
    await tenant.newLead(id);
    const told: CampaignProgress[] = [];
    for await (const one of client.campaigns.events(id)) {
      told.push(one);
      if (told.length === 1) await client.campaigns.update(id, { status: 'cancelled' });
    }
    expect(told.map(({ status, pending_leads, skipped_leads }) => [status, pending_leads, skipped_leads])).toEqual([
      ['draft', 1, 0],
      ['cancelled', 0, 1],
    ]);
    expect(told[0]).toEqual({
      id,
      status: 'draft',
      status_reason: null,
      total_leads: 1,
      pending_leads: 1,
      calling_leads: 0,
      completed_leads: 0,
      failed_leads: 0,
      skipped_leads: 0,
      total_calls: 0,
      answered_calls: 0,
      answered_rate: null,
      average_duration_seconds: null,
    });
  });

  it('goes on when the connection ends, without telling twice what has not changed', async () => {
    const { baseUrl, received } = await startServer(
      stream(progress({})),
      stream(progress({}) + progress({ pending_leads: 4 })),
      json(503, { code: 'unavailable' }),
      (response) => response.destroy(),
      stream(progress({ status: 'cancelled', pending_leads: 0, calling_leads: 1 })),
      stream(progress({ status: 'cancelled', pending_leads: 0 }), 'hold'),
    );
    expect(await collect(clientOf(baseUrl).campaigns.events('c1'))).toEqual([
      'running 5',
      'running 4',
      'cancelled 0',
      'cancelled 0',
    ]);
    expect(received).toHaveLength(6);
    expect(received[0]).toMatchObject({ url: '/voice/api/v1/campaigns/c1/events' });
  });

  it('tells when there is no such campaign, from the start or any more', async () => {
    const tenant = await api.tenant();
    const client = createClient({ baseUrl: api.origin, apiKey: tenant.key });
    const { id } = await tenant.newCampaign();
    const events = client.campaigns.events(id);
    await events.next();
    await client.campaigns.delete(id);
    expect(await thrownBy(events.next())).toMatchObject({ status: 404, code: 'campaign_not_found' });
  });

  it('takes what is no progress for no answer', async () => {
    const { baseUrl } = await startServer(stream('data: {"status":"running"}\n\n'));
    expect(await thrownBy(clientOf(baseUrl).campaigns.events('c1').next())).toMatchObject({ code: 'invalid_answer' });
  });

  it('ends with the signal', async () => {
    const { baseUrl } = await startServer(stream(progress({}), 'hold'));
    const stopping = new AbortController();
    const events = clientOf(baseUrl).campaigns.events('c1', { signal: stopping.signal });
    await events.next();
    const next = events.next();
    stopping.abort(new Error('enough'));
    expect(await thrownBy(next)).toMatchObject({ message: 'enough' });
  });
});
