import type { Api } from '../support/api.ts';
import type { Sent } from '../support/exchange.ts';
import type { Tenant } from '../support/tenant.ts';
import type { Material } from './from-schema.ts';
import { type Prepared, preparedRows } from './mutated-row.ts';

const nobody = '01900000-0000-7000-8000-0000000000ff';

export interface FuzzedTenant {
  readonly tenant: Tenant;
  readonly material: Material;
  readonly prepared: readonly Prepared[];
}

/** Creates an organization with one record of each kind, and the values that its requests are made of. */
export async function fuzzedTenant(api: Api): Promise<FuzzedTenant> {
  const [tenant, other] = [await api.tenant(), await api.tenant()];
  const { agent, number, trunk } = await tenant.newLine();
  const campaign = await tenant.newCampaign({ agent_id: agent.id });
  const call = await tenant.addCall();
  api.recordings.recorded.add(call.id);
  const spareKey = (await tenant.ok('POST', '/api-keys', { name: 'Spare' })).api_key;
  const records = [
    agent,
    number,
    trunk,
    campaign,
    call,
    spareKey,
    await tenant.newLead(campaign.id),
    await tenant.newDoNotCall(),
    await tenant.newToolTemplate(),
    await tenant.newAnalysisTemplate(),
    await tenant.addDelivery(),
    await tenant.newLiveCall(),
    await other.newAgent(),
    await other.newNumber(),
    await other.addCall(),
  ];
  const hook = api.customer.url;
  const port = new URL(hook).port;
  const prepared = await preparedRows(tenant);
  return {
    tenant,
    prepared,
    material: {
      ids: [...records.map(({ id }) => id), nobody, nobody.toUpperCase(), '00000000-0000-0000-0000-000000000000'],
      urls: [hook, `${hook}?a=b#c`, `http://user:pass@127.0.0.1:${port}/`, 'http://127.0.0.1:1/', 'https://[::1]:1/x'],
      words: [
        '+31201234567',
        number.number,
        'sip:desk@127.0.0.1',
        'scripted',
        'openai',
        'Europe/Amsterdam',
        'UTC',
        'endCall',
        'status-update',
        'ended,failed',
        'mail.example.com',
        'calls:read',
        '*',
      ],
    },
  };
}

/** Formats a request so that a failure can be reproduced. */
export function told({ method, path, headers = {}, body = '' }: Sent): string {
  const shown = Object.entries(headers).filter(
    ([name]) => name !== 'authorization' || !headers[name]?.includes('va_live'),
  );
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(Object.fromEntries(shown))} ${String(body).slice(0, 600)}`;
}
