import { createClient } from '@va/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thrownBy } from '../../packages/client/test/support/client-of.ts';
import { type Api, openApi } from '../api/support/api.ts';
import { memoryStorage } from '../api/support/storages.ts';

describe('leads.export of the client', () => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi(memoryStorage);
  });
  afterAll(() => api.close());

  it('returns a file that leads.import accepts', async () => {
    const tenant = await api.tenant();
    const client = createClient({ baseUrl: api.origin, apiKey: tenant.key });
    const { id } = await tenant.newCampaign();
    const phoneNumber = '+31612345678';
    await tenant.newLead(id, { phone_number: phoneNumber, name: 'Zoë', variables: { city: 'Den Haag, NL' } });
    const table = await new Response(await client.leads.export(id)).text();
    expect(table.split('\r\n')[1]).toBe(`${phoneNumber},Zoë,pending,0,,,,,,"Den Haag, NL"`);

    const { id: other } = await tenant.newCampaign();
    expect(await client.leads.import(other, await client.leads.export(id))).toMatchObject({ created: 1, failed: 0 });
    const [lead] = (await client.leads.list(other)).leads;
    expect(lead).toMatchObject({ phone_number: phoneNumber, name: 'Zoë', variables: { city: 'Den Haag, NL' } });
  });

  it('throws campaign_not_found for the campaign of another organization', async () => {
    const [tenant, other] = [await api.tenant(), await api.tenant()];
    const { id } = await tenant.newCampaign();
    const client = createClient({ baseUrl: api.origin, apiKey: other.key });
    expect(await thrownBy(client.leads.export(id))).toMatchObject({ status: 404, code: 'campaign_not_found' });
  });
});
