import type { Agent } from '../../domain/agents/agent.ts';
import type { CampaignRecord } from '../../domain/campaigns/campaign.ts';

/** Returns the content of the webhook `campaign-update`. */
export function campaignMessage(campaign: CampaignRecord, agent: Agent | null): Record<string, unknown> {
  return {
    agent: agent === null ? null : { id: agent.id, name: agent.name },
    metadata: agent?.metadata ?? {},
    campaign: {
      id: campaign.id,
      name: campaign.name,
      status: campaign.status,
      statusReason: campaign.status_reason,
      totalLeads: campaign.total_leads,
      pendingLeads: campaign.pending_leads,
      callingLeads: campaign.calling_leads,
      completedLeads: campaign.completed_leads,
      failedLeads: campaign.failed_leads,
      skippedLeads: campaign.skipped_leads,
    },
  };
}
