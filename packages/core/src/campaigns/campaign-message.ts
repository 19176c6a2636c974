import type { CampaignRecord } from '../domain/campaign.ts';

/** What the webhook `campaign-update` says. */
export function campaignMessage(campaign: CampaignRecord): Record<string, unknown> {
  return {
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
