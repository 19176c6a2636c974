import { createClient } from '@va/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../api/support/api.ts';
import { memoryStorage } from '../api/support/storages.ts';

describe('calls.events of the client', () => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi(memoryStorage);
  });
  afterAll(() => api.close());

  it('yields the events of a call of the service, from its start to its end', async () => {
    const tenant = await api.tenant();
    const { id, caller } = await tenant.newLiveCall();
    const client = createClient({ baseUrl: api.origin, apiKey: tenant.key });
    const statuses: unknown[] = [];
    for await (const event of client.calls.events(id)) {
      expect(event.call_id).toBe(id);
      if (event.type !== 'status') continue;
      statuses.push(event.data.status);
      if (event.data.status === 'in-progress') caller.leave();
    }
    expect(statuses).toEqual(['connecting', 'in-progress', 'ended']);
  });
});
