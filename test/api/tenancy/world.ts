import type { Api } from '../support/api.ts';
import { newPhoneNumber, type Tenant } from '../support/tenant.ts';

/** An organization with a record of every kind, named as in the table of attempts. */
export interface World {
  readonly tenant: Tenant;
  readonly agent: string;
  readonly apiKey: string;
  readonly call: string;
  readonly callerPhone: string;
  readonly campaign: string;
  readonly delivery: string;
  readonly doNotCall: string;
  readonly lead: string;
  readonly liveCall: string;
  readonly number: string;
  readonly publishableKey: string;
  readonly template: string;
  readonly toolTemplate: string;
  readonly trunk: string;
  /** The mail provider's id of the domain. */
  readonly providerDomain: string;
}

export async function createWorld(api: Api): Promise<World> {
  const tenant = await api.tenant();
  const { agent, number, trunk } = await tenant.newLine();
  const campaign = await tenant.newCampaign({ agent_id: agent.id, number_id: number.id });
  const lead = await tenant.newLead(campaign.id);
  const about = { agent_id: agent.id, number_id: number.id, campaign_id: campaign.id };
  const callerPhone = newPhoneNumber();
  const call = await tenant.addCall({ ...about, caller_phone: callerPhone });
  api.recordings.recorded.add(call.id);
  await tenant.addUsage({ agent_id: agent.id, call_id: call.id });
  await tenant.ok('POST', '/byok', { provider: 'openai', api_key: 'sk-of-the-customer' });
  const domain = await tenant.newDomain();
  return {
    tenant,
    agent: agent.id,
    apiKey: (await tenant.ok('POST', '/api-keys', { name: 'Spare' })).api_key.id,
    call: call.id,
    callerPhone,
    campaign: campaign.id,
    delivery: (await tenant.addDelivery({ agent_id: agent.id, call_id: call.id })).id,
    doNotCall: (await tenant.newDoNotCall()).id,
    lead: lead.id,
    liveCall: (await tenant.newLiveCall()).id,
    number: number.id,
    publishableKey: (await tenant.newPublishableKey({ agents: [agent.id] })).id,
    template: (await tenant.newAnalysisTemplate()).id,
    toolTemplate: (await tenant.newToolTemplate()).id,
    trunk: trunk.id,
    providerDomain: domain.provider_domain_id,
  };
}

/** Returns every record of the organizations, once background work has settled. */
export async function settledRecordsOf(api: Api, orgIds: readonly string[]): Promise<string> {
  for (let before = await api.recordsOf(orgIds); ; ) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    const now = await api.recordsOf(orgIds);
    if (now === before) return now;
    before = now;
  }
}
