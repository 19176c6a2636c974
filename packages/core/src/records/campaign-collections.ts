import type { CampaignRecord } from '../domain/campaigns/campaign.ts';
import type { DoNotCallEntry } from '../domain/campaigns/do-not-call.ts';
import type { LeadRecord } from '../domain/campaigns/lead.ts';
import { defineCollection } from './definition.ts';
import { tableNames } from './table-names.ts';

/** Collections with campaigns, leads and the do-not-call list. A collection follows those that it refers to. */
export const campaignCollections = {
  campaigns: defineCollection<CampaignRecord>({
    table: tableNames.campaigns,
    fields: {
      id: 'uuid',
      name: 'text',
      agent_id: 'uuid?',
      number_id: 'uuid?',
      status: 'text',
      status_reason: 'text?',
      system_message_template: 'text?',
      schedule_start_time: 'text',
      schedule_end_time: 'text',
      timezone: 'text',
      schedule_days: 'json',
      start_date: 'text?',
      end_date: 'text?',
      max_concurrent_calls: 'integer',
      calls_per_minute: 'integer?',
      max_attempts: 'integer',
      retry_delay_seconds: 'integer',
      retry_on: 'json',
      total_leads: 'integer',
      pending_leads: 'integer',
      calling_leads: 'integer',
      completed_leads: 'integer',
      failed_leads: 'integer',
      skipped_leads: 'integer',
      total_calls: 'integer',
      answered_calls: 'integer',
      talk_seconds: 'integer',
      next_pass_at: 'timestamp?',
      paced_until_ms: 'number?',
      dial_failures: 'integer',
      slowed_until_ms: 'number?',
      created_at: 'timestamp',
      updated_at: 'timestamp',
    },
    references: {
      agent_id: { to: 'agents', onDelete: 'null' },
      number_id: { to: 'numbers', onDelete: 'null' },
    },
    indexes: ['agent_id', 'number_id', 'status'],
  }),

  leads: defineCollection<LeadRecord>({
    table: tableNames.leads,
    order: 'oldest',
    fields: {
      id: 'uuid',
      campaign_id: 'uuid',
      phone_number: 'text',
      unique_number: 'text?',
      name: 'text?',
      variables: 'json',
      status: 'text',
      call_id: 'uuid?',
      attempts: 'integer',
      dial_failures: 'integer',
      last_attempt_at: 'timestamp?',
      next_attempt_at: 'timestamp?',
      last_end_reason: 'text?',
      status_reason: 'text?',
      created_at: 'timestamp',
      updated_at: 'timestamp',
    },
    unique: { phone_number: { fields: ['campaign_id', 'unique_number'], scope: 'organization' } },
    references: { campaign_id: { to: 'campaigns', onDelete: 'cascade' } },
    indexes: ['campaign_id'],
  }),

  doNotCall: defineCollection<DoNotCallEntry>({
    table: tableNames.doNotCall,
    fields: { id: 'uuid', phone_number: 'text', reason: 'text?', created_at: 'timestamp' },
    unique: { phone_number: { fields: ['phone_number'], scope: 'organization' } },
  }),
};
