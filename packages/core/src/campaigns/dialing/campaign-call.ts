import { defaultRingTimeoutSeconds, type OutboundRequest } from '../../calls/origin/placing.ts';
import { newCallRecord } from '../../calls/record/call-record.ts';
import type { Agent } from '../../domain/agents/agent.ts';
import type { CampaignRecord } from '../../domain/campaigns/campaign.ts';
import type { LeadRecord } from '../../domain/campaigns/lead.ts';
import { type RandomBytes, uuidv7 } from '../../ids.ts';
import { leadVariables } from '../../leads/lead-variables.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DialContext } from './dial-contexts.ts';

/**
 * Returns the call of a lead, to be stored and placed. Its placeholders are filled when it is placed, as in any call.
 */
export function campaignCall(
  { organization, agent, line }: DialContext,
  campaign: CampaignRecord,
  lead: LeadRecord,
  source: { readonly clock: Clock; readonly random: RandomBytes },
): OutboundRequest {
  const id = uuidv7(source.clock, source.random);
  const { number, trunk } = line;
  return {
    call: {
      ...newCallRecord({ id, direction: 'outbound', number, agent, clock: source.clock }),
      status: 'queued',
      caller_phone: lead.phone_number,
      variables: leadVariables(lead),
      campaign_id: campaign.id,
      lead_id: lead.id,
    },
    organization,
    agent: instructed(agent, campaign.system_message_template),
    destination: lead.phone_number,
    number,
    trunk,
    ringTimeoutSeconds: defaultRingTimeoutSeconds,
    keysOnAnswer: null,
  };
}

/** Returns all texts of a campaign's calls that may have placeholders: spoken messages and instructions. */
export function templatesOf(agent: Agent, campaign: CampaignRecord): string[] {
  const { llm_config: llm } = instructed(agent, campaign.system_message_template);
  const messages = (llm?.messages ?? []).filter(({ role }) => role === 'system').map(({ content }) => content);
  const voicemailMessage = agent.voicemail_detection ? agent.voicemail_message : null;
  return [...messages, agent.first_message, voicemailMessage].filter((text) => text !== null);
}

/** Returns the agent with the campaign's instructions instead of its own. */
function instructed(agent: Agent, template: string | null): Agent {
  const { llm_config: llm } = agent;
  if (template === null || llm === null) return agent;
  const others = llm.messages.filter(({ role }) => role !== 'system');
  return { ...agent, llm_config: { ...llm, messages: [{ role: 'system', content: template }, ...others] } };
}
