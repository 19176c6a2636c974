import { createOperations, systemClock, systemRandom } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import { ScriptedWebhooks } from '@va/testkit';

type Made = Readonly<Record<string, unknown>>;

/** Returns default values of new records by schema name, found by creating some. */
export async function findDefaults(): Promise<Readonly<Record<string, Made>>> {
  const unused = (): never => {
    throw new Error('Nothing is recorded here.');
  };
  const operations = createOperations({
    storage: memory(),
    recordings: { create: unused, open: unused, delete: unused },
    webhooks: new ScriptedWebhooks(),
    clock: systemClock,
    random: systemRandom,
  });
  const { id: orgId } = await operations.organizations.ensureDefault();
  const agent = await operations.agents.create(orgId, { name: 'A' });
  const template = { name: 'A', system_prompt: 'A', user_prompt: 'A', schema: { type: 'object', properties: {} } };
  const hours = { schedule_start_time: '09:00', schedule_end_time: '17:00', timezone: 'Europe/Amsterdam' };
  const campaign = await operations.campaigns.create(orgId, { name: 'A', agent_id: agent.id, ...hours });
  const made = {
    NewAgent: { ...agent, webhook_secret: null },
    NewPhoneNumber: await operations.numbers.register(orgId, { phone_number: '+31201234567' }),
    NewSipTrunk: await operations.trunks.create(orgId, { name: 'A', provider: 'A', address: 'sip.example.com' }),
    NewToolTemplate: await operations.toolTemplates.create(orgId, { name: 'A', tool_type: 'endCall', tool_config: {} }),
    NewAnalysisTemplate: await operations.analysisTemplates.create(orgId, template),
    NewCampaign: campaign,
    NewLead: await operations.leads.add(orgId, campaign.id, { phone_number: '+31201234567' }),
  };
  return Object.fromEntries(Object.entries(made).map(([name, record]) => [name, { ...record }]));
}
