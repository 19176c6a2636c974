import { type CampaignProgress, createClient } from '@va/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thrownBy } from '../../packages/client/test/support/client-of.ts';
import { type Api, openApi } from '../api/support/api.ts';
import { memoryStorage } from '../api/support/storages.ts';

describe('campaigns.events of the client', () => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi(memoryStorage);
  });
  afterAll(() => api.close());

  it('yields the progress of a campaign until its last lead is done', async () => {
    const tenant = await api.tenant();
    const client = createClient({ baseUrl: api.origin, apiKey: tenant.key });
    const { id } = await tenant.newCampaign();
    await tenant.newLead(id);
    const read: CampaignProgress[] = [];
    for await (const one of client.campaigns.events(id)) {
      read.push(one);
      if (read.length === 1) await client.campaigns.update(id, { status: 'cancelled' });
    }
    expect(read.map(({ status, pending_leads, skipped_leads }) => [status, pending_leads, skipped_leads])).toEqual([
      ['draft', 1, 0],
      ['cancelled', 0, 1],
    ]);
    expect(read[0]).toEqual({
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

  it('throws campaign_not_found when the campaign is deleted meanwhile', async () => {
    const tenant = await api.tenant();
    const client = createClient({ baseUrl: api.origin, apiKey: tenant.key });
    const { id } = await tenant.newCampaign();
    const events = client.campaigns.events(id);
    await events.next();
    await client.campaigns.delete(id);
    expect(await thrownBy(events.next())).toMatchObject({ status: 404, code: 'campaign_not_found' });
  });
});
