import type { VoiceAgents } from '@va/core';
import type { CallSource } from './call-records.ts';

/** Shares of the agents in the calls. */
const agentShares = [30, 20, 14, 10, 8, 8, 6, 4];
const businesses = ['Reception', 'Sales', 'Support', 'Bookings', 'Deliveries', 'Invoices', 'Night desk', 'Surveys'];
const campaigns = 6;

/** Creates agents with a number each, and campaigns; returns the sources of the calls of the organization. */
export async function createSources(
  operations: Pick<VoiceAgents['operations'], 'agents' | 'numbers' | 'campaigns'>,
  orgId: string,
  numberPrefix: string,
): Promise<CallSource[]> {
  const sources: CallSource[] = [];
  for (const [at, weight] of agentShares.entries()) {
    const agent = await operations.agents.create(orgId, { name: businesses[at] ?? 'Agent', business_name: 'Harbour' });
    const phone_number = `${numberPrefix}${String(at).padStart(3, '0')}`;
    const number = await operations.numbers.register(orgId, { phone_number, agent_id: agent.id });
    sources.push({ agent, number, campaignId: null, direction: 'inbound', weight: weight * 0.45 });
    sources.push({ agent, number: null, campaignId: null, direction: 'web', weight: weight * 0.1 });
    if (at >= campaigns) continue;
    const campaign = await operations.campaigns.create(orgId, {
      ...{ name: `Campaign ${at + 1}`, agent_id: agent.id, number_id: number.id },
      ...{ schedule_start_time: '09:00', schedule_end_time: '17:00', timezone: 'Europe/Amsterdam' },
    });
    sources.push({ agent, number, campaignId: campaign.id, direction: 'outbound', weight: weight * 0.5 });
  }
  return sources;
}
