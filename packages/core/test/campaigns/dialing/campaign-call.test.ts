import { sampleAgent, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { campaignCall, templatesOf } from '../../../src/campaigns/dialing/campaign-call.ts';
import type { AgentRecord } from '../../../src/domain/agents/agent.ts';
import type { CampaignRecord } from '../../../src/domain/campaigns/campaign.ts';
import type { LeadRecord } from '../../../src/domain/campaigns/lead.ts';
import { systemRandom } from '../../../src/ids.ts';
import { organizationOf, orgId } from '../../operations/support.ts';
import {
  recordId,
  sampleCampaign,
  sampleLead,
  sampleNumber,
  sampleTrunk,
  startedAt,
} from '../../support/sample-records.ts';
import { untyped } from '../../support/untyped.ts';

const clock = new VirtualClock();
const line = { number: sampleNumber(), trunk: sampleTrunk() };
const messages = [
  { role: 'system', content: 'You are {{name}}’s agent.' },
  { role: 'assistant', content: 'Hello.' },
  { role: 'system', content: 'Be brief.' },
];

function agentOf(changes: Partial<AgentRecord> = {}): AgentRecord {
  const llm_config = untyped({ provider: 'scripted', messages, tools: [{ type: 'endCall' }] });
  return sampleAgent({ id: recordId('a'), business_name: 'Harbour', metadata: { shop: 7 }, llm_config, ...changes });
}

function callOf(
  lead: Partial<LeadRecord> = {},
  campaign: Partial<CampaignRecord> = {},
  agent: Partial<AgentRecord> = {},
): ReturnType<typeof campaignCall> {
  const context = { organization: organizationOf(orgId, clock), agent: agentOf(agent), line };
  return campaignCall(untyped(context), sampleCampaign(campaign), sampleLead(1, lead), { clock, random: systemRandom });
}

describe('the call of a lead', () => {
  it('is an outbound call of its campaign, by its number and trunk', () => {
    const { call, ...request } = callOf();
    expect(call).toMatchObject({
      direction: 'outbound',
      status: 'queued',
      caller_phone: '+31612340001',
      created_at: startedAt,
      campaign_id: sampleCampaign().id,
      lead_id: sampleLead(1).id,
      number_id: line.number.id,
      agent_id: recordId('a'),
      business_name: 'Harbour',
      metadata: { shop: 7 },
    });
    expect(request).toMatchObject({
      destination: '+31612340001',
      ringTimeoutSeconds: 60,
      keysOnAnswer: null,
      ...line,
      organization: { id: orgId },
    });
  });

  it('has an id of its own each time', () => {
    expect(callOf().call.id).not.toBe(callOf().call.id);
  });

  it('has the variables of the lead, with its name and number', () => {
    const variables = { city: 'Delft', seats: 0, note: ' ', vip: false, name: 'of the file' };
    expect(callOf({ variables, name: 'Ann' }).call.variables).toEqual({
      city: 'Delft',
      seats: 0,
      vip: false,
      name: 'Ann',
      phone_number: '+31612340001',
    });
    expect(callOf({ variables }).call.variables).toMatchObject({ name: 'of the file' });
  });

  it('uses the agent unchanged if the campaign has no instructions', () => {
    expect(callOf().agent).toMatchObject({ id: recordId('a'), llm_config: { messages }, first_message: 'Hello.' });
  });

  it('has the instructions of the campaign in place of the agent’s, and the rest of the agent', () => {
    const { agent } = callOf({}, { system_message_template: 'Sell to {{name}}.' });
    expect(agent.llm_config).toMatchObject({
      provider: 'scripted',
      messages: [
        { role: 'system', content: 'Sell to {{name}}.' },
        { role: 'assistant', content: 'Hello.' },
      ],
      tools: [{ type: 'endCall' }],
    });
    expect(agent.first_message).toBe('Hello.');
  });

  it('has nothing to replace in an agent without a model', () => {
    expect(callOf({}, { system_message_template: 'Sell.' }, { llm_config: null }).agent.llm_config).toBeNull();
  });
});

describe('the texts with placeholders', () => {
  const texts = (agent: Partial<AgentRecord> = {}, template: string | null = null): string[] =>
    templatesOf(agentOf(agent), sampleCampaign({ system_message_template: template }));

  it('are the instructions, the first message and the voicemail message', () => {
    expect(texts({ voicemail_message: 'Please call {{number}}.' })).toEqual([
      'You are {{name}}’s agent.',
      'Be brief.',
      'Hello.',
      'Please call {{number}}.',
    ]);
  });

  it('include the instructions of the campaign in place of those of the agent', () => {
    expect(texts({}, 'Sell to {{name}}.')).toEqual(['Sell to {{name}}.', 'Hello.']);
  });

  it('leave out texts that no call needs', () => {
    const silent = { voicemail_detection: false, voicemail_message: 'Please call.', first_message: null };
    expect(texts({ ...silent, llm_config: null })).toEqual([]);
  });
});
