import type { AgentRecord } from '../../domain/agent.ts';
import type { AnalysisTemplateRecord } from '../../domain/analysis-template.ts';
import type { ApiKeyRecord } from '../../domain/api-key.ts';
import type { ByokKeyRecord } from '../../domain/byok.ts';
import type { CallRecord } from '../../domain/call.ts';
import type { CallCommandRecord } from '../../domain/call-control.ts';
import type { CallEvent } from '../../domain/call-event.ts';
import type { CampaignRecord } from '../../domain/campaign.ts';
import type { DoNotCallEntry } from '../../domain/do-not-call.ts';
import type { IdempotencyRecord } from '../../domain/idempotency-record.ts';
import type { LeadRecord } from '../../domain/lead.ts';
import type { MailDomainRecord } from '../../domain/mail-domain.ts';
import type { OrganizationRecord } from '../../domain/organization.ts';
import type { PhoneNumberRecord } from '../../domain/phone-number.ts';
import type { SealedSecret } from '../../domain/sealed-secret.ts';
import type { SipTrunkRecord } from '../../domain/sip-trunk.ts';
import type { ToolTemplateRecord } from '../../domain/tool-template.ts';
import type { UsageLog } from '../../domain/usage-log.ts';
import type { WebhookDelivery } from '../../domain/webhook-delivery.ts';
import type { WebhookEndpoint } from '../../domain/webhook-endpoint.ts';
import { type CollectionDefinition, defineCollection } from './definition.ts';

/** The type of the records of each collection. */
export interface RecordTypes {
  organizations: OrganizationRecord;
  apiKeys: ApiKeyRecord;
  agents: AgentRecord;
  trunks: SipTrunkRecord;
  numbers: PhoneNumberRecord;
  calls: CallRecord;
  callEvents: CallEvent;
  callCommands: CallCommandRecord;
  toolTemplates: ToolTemplateRecord;
  analysisTemplates: AnalysisTemplateRecord;
  byokKeys: ByokKeyRecord;
  secrets: SealedSecret;
  mailDomains: MailDomainRecord;
  campaigns: CampaignRecord;
  leads: LeadRecord;
  doNotCall: DoNotCallEntry;
  webhookDeliveries: WebhookDelivery;
  webhookEndpoints: WebhookEndpoint;
  usageLogs: UsageLog;
  idempotency: IdempotencyRecord;
}

export type CollectionName = keyof RecordTypes;

/** Every kind of records that the service keeps; a collection stands after those it refers to. */
export const collections: { readonly [N in CollectionName]: CollectionDefinition<RecordTypes[N]> } = {
  organizations: defineCollection<OrganizationRecord>({
    table: 'organizations',
    ownsItself: true,
    fields: {
      id: 'uuid',
      name: 'text',
      plan: 'text',
      minutes_balance: 'number?',
      local_models_approved: 'boolean',
      concurrency_limit: 'integer?',
      content_retention_days: 'integer?',
      metadata_retention_days: 'integer?',
      webhook_url: 'text?',
      webhook_secret: 'text?',
      webhook_previous_secret: 'text?',
      webhook_previous_secret_expires_at: 'timestamp?',
      created_at: 'timestamp',
    },
  }),

  apiKeys: defineCollection<ApiKeyRecord>({
    table: 'api_keys',
    fields: {
      id: 'uuid',
      name: 'text',
      scopes: 'json',
      hash: 'text',
      expires_at: 'timestamp?',
      revoked_at: 'timestamp?',
      created_at: 'timestamp',
    },
    unique: { hash: { fields: ['hash'], scope: 'deployment' } },
  }),

  agents: defineCollection<AgentRecord>({
    table: 'agents',
    fields: {
      id: 'uuid',
      name: 'text',
      business_name: 'text?',
      notification_email: 'text?',
      first_message: 'text?',
      is_active: 'boolean',
      webhook_url: 'text?',
      webhook_secret: 'text',
      webhook_previous_secret: 'text?',
      webhook_previous_secret_expires_at: 'timestamp?',
      webhook_events: 'json?',
      analysis_plan: 'json?',
      stt_config: 'json?',
      llm_config: 'json?',
      tts_config: 'json?',
      speech_config: 'json?',
      max_duration_seconds: 'integer',
      silence_timeout_seconds: 'integer?',
      voicemail_detection: 'boolean',
      voicemail_message: 'text?',
      recording_enabled: 'boolean',
      metadata: 'json?',
      created_at: 'timestamp',
      updated_at: 'timestamp',
    },
  }),

  trunks: defineCollection<SipTrunkRecord>({
    table: 'sip_trunks',
    fields: {
      id: 'uuid',
      name: 'text',
      provider: 'text',
      address: 'text',
      auth_username: 'text?',
      auth_password_secret_id: 'uuid?',
      numbers: 'json',
      transport: 'text',
      max_concurrent_calls: 'integer?',
      is_active: 'boolean',
      created_at: 'timestamp',
      updated_at: 'timestamp',
    },
  }),

  numbers: defineCollection<PhoneNumberRecord>({
    table: 'phone_numbers',
    fields: {
      id: 'uuid',
      number: 'text',
      name: 'text?',
      agent_id: 'uuid?',
      transfer_trunk_id: 'uuid?',
      is_active: 'boolean',
      created_at: 'timestamp',
      updated_at: 'timestamp',
    },
    unique: { number: { fields: ['number'], scope: 'deployment' } },
    references: {
      agent_id: { to: 'agents', onDelete: 'null' },
      transfer_trunk_id: { to: 'trunks', onDelete: 'null' },
    },
    indexes: ['agent_id', 'transfer_trunk_id'],
  }),

  // A call keeps the ids of what it was about after that is deleted, so that it refers to nothing.
  calls: defineCollection<CallRecord>({
    table: 'calls',
    fields: {
      id: 'uuid',
      caller_phone: 'text?',
      assistant_phone: 'text?',
      status: 'text',
      error: 'text?',
      started_at: 'timestamp?',
      answered_at: 'timestamp?',
      ended_at: 'timestamp?',
      duration_seconds: 'integer?',
      summary: 'text?',
      analysis_result: 'json?',
      analysis_status: 'text?',
      analysis_error: 'text?',
      messages: 'json',
      room_name: 'text',
      agent_id: 'uuid?',
      number_id: 'uuid?',
      agent_name: 'text?',
      business_name: 'text?',
      phone_number: 'text?',
      direction: 'text',
      end_reason: 'text?',
      recording_url: 'text?',
      metadata: 'json?',
      variables: 'json?',
      campaign_id: 'uuid?',
      lead_id: 'uuid?',
      transfer_destination: 'text?',
      cost: 'number?',
      latency: 'json?',
      media: 'json?',
      erased_at: 'timestamp?',
      node_id: 'uuid?',
      created_at: 'timestamp',
      updated_at: 'timestamp',
    },
    indexes: ['agent_id', 'number_id', 'campaign_id', 'status', 'end_reason', 'caller_phone', 'assistant_phone'],
  }),

  callEvents: defineCollection<CallEvent>({
    table: 'call_events',
    order: 'oldest',
    fields: { id: 'uuid', call_id: 'uuid', seq: 'integer', type: 'text', data: 'json', created_at: 'timestamp' },
    unique: { seq: { fields: ['call_id', 'seq'], scope: 'organization' } },
  }),

  callCommands: defineCollection<CallCommandRecord>({
    table: 'call_commands',
    order: 'oldest',
    fields: {
      id: 'uuid',
      call_id: 'uuid',
      command_id: 'text',
      type: 'text',
      command: 'json',
      answer: 'json?',
      node_id: 'uuid?',
      traceparent: 'text?',
      created_at: 'timestamp',
    },
    unique: { command_id: { fields: ['call_id', 'command_id'], scope: 'organization' } },
  }),

  toolTemplates: defineCollection<ToolTemplateRecord>({
    table: 'tool_templates',
    fields: {
      id: 'uuid',
      name: 'text',
      description: 'text?',
      tool_type: 'text',
      tool_config: 'json',
      created_at: 'timestamp',
      updated_at: 'timestamp',
    },
  }),

  analysisTemplates: defineCollection<AnalysisTemplateRecord>({
    table: 'analysis_templates',
    fields: {
      id: 'uuid',
      name: 'text',
      description: 'text?',
      system_prompt: 'text',
      user_prompt: 'text',
      schema: 'json',
      is_active: 'boolean',
      created_at: 'timestamp',
      updated_at: 'timestamp',
    },
  }),

  byokKeys: defineCollection<ByokKeyRecord>({
    table: 'byok_keys',
    fields: { id: 'uuid', provider: 'text', secret_id: 'uuid', created_at: 'timestamp', updated_at: 'timestamp' },
    unique: { provider: { fields: ['provider'], scope: 'organization' } },
  }),

  secrets: defineCollection<SealedSecret>({
    table: 'secrets',
    fields: { id: 'uuid', key_id: 'text', nonce: 'text', ciphertext: 'text', created_at: 'timestamp' },
  }),

  mailDomains: defineCollection<MailDomainRecord>({
    table: 'mail_domains',
    fields: {
      id: 'uuid',
      domain_name: 'text',
      provider: 'text',
      provider_domain_id: 'text?',
      status: 'text',
      region: 'text?',
      records: 'json',
      is_ours: 'boolean',
      created_at: 'timestamp',
      updated_at: 'timestamp',
      verified_at: 'timestamp?',
    },
    unique: {
      organization: { fields: [], scope: 'organization' },
      domain_name: { fields: ['domain_name'], scope: 'deployment' },
    },
  }),

  campaigns: defineCollection<CampaignRecord>({
    table: 'campaigns',
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
    table: 'leads',
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
    table: 'do_not_call',
    fields: { id: 'uuid', phone_number: 'text', reason: 'text?', created_at: 'timestamp' },
    unique: { phone_number: { fields: ['phone_number'], scope: 'organization' } },
  }),

  webhookDeliveries: defineCollection<WebhookDelivery>({
    table: 'webhook_deliveries',
    fields: {
      id: 'uuid',
      webhook_id: 'text',
      agent_id: 'uuid?',
      call_id: 'uuid?',
      event: 'text',
      url: 'text',
      status: 'text',
      status_code: 'integer?',
      attempts: 'json',
      payload: 'json',
      created_at: 'timestamp',
      updated_at: 'timestamp',
      delivered_at: 'timestamp?',
    },
    unique: { webhook_id: { fields: ['webhook_id'], scope: 'organization' } },
    indexes: ['agent_id', 'call_id', 'status'],
  }),

  webhookEndpoints: defineCollection<WebhookEndpoint>({
    table: 'webhook_endpoints',
    fields: {
      id: 'uuid',
      url: 'text',
      failing_since: 'timestamp',
      disabled_at: 'timestamp?',
      reason: 'text?',
      created_at: 'timestamp',
    },
    unique: { url: { fields: ['url'], scope: 'organization' } },
  }),

  usageLogs: defineCollection<UsageLog>({
    table: 'usage_logs',
    fields: {
      id: 'uuid',
      call_id: 'uuid',
      agent_id: 'uuid?',
      agent_name: 'text?',
      business_name: 'text?',
      phone_number: 'text?',
      call_type: 'text',
      direction: 'text',
      duration_seconds: 'integer',
      minutes_used: 'number',
      cost: 'number?',
      currency: 'text?',
      created_at: 'timestamp',
    },
    unique: { call_id: { fields: ['call_id'], scope: 'organization' } },
    indexes: ['agent_id'],
  }),

  idempotency: defineCollection<IdempotencyRecord>({
    table: 'idempotency_keys',
    fields: {
      id: 'uuid',
      scope: 'text',
      key: 'text',
      fingerprint: 'text',
      leased_until: 'timestamp?',
      answer: 'json?',
      answer_secret_id: 'uuid?',
      expires_at: 'timestamp',
      created_at: 'timestamp',
    },
    unique: { key: { fields: ['scope', 'key'], scope: 'organization' } },
    indexes: ['expires_at'],
  }),
};

/** The names, in the order in which they refer to each other. */
export const collectionNames = Object.keys(collections) as readonly CollectionName[];
