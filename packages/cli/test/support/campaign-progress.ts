import type { CampaignProgress } from '@va/client';

/** A running campaign: 20 of 60 leads are done. */
export const progress: CampaignProgress = {
  id: 'c1',
  status: 'running',
  status_reason: null,
  total_leads: 60,
  pending_leads: 34,
  calling_leads: 6,
  completed_leads: 14,
  failed_leads: 5,
  skipped_leads: 1,
  total_calls: 25,
  answered_calls: 14,
  answered_rate: 0.56,
  average_duration_seconds: 3.4,
};
