import type { ApiKeyRecord } from '../domain/accounts/api-key.ts';
import type { ByokKeyRecord } from '../domain/accounts/byok.ts';
import type { MailDomainRecord } from '../domain/accounts/mail-domain.ts';
import type { OrganizationRecord } from '../domain/accounts/organization.ts';
import type { PublishableKeyRecord } from '../domain/accounts/publishable-key.ts';
import type { AgentRecord } from '../domain/agents/agent.ts';
import type { AnalysisTemplateRecord } from '../domain/agents/analysis-template.ts';
import type { ToolTemplateRecord } from '../domain/agents/tools/tool-template.ts';
import type { PhoneNumberRecord } from '../domain/numbers/phone-number.ts';
import type { SipTrunkRecord } from '../domain/numbers/sip-trunk.ts';
import type { SealedSecret } from '../domain/records/sealed-secret.ts';
import { defineCollection } from './definition.ts';
import { tableNames } from './table-names.ts';

/** Collections with an organization's configuration. A collection follows those that it refers to. */
export const accountCollections = {
  organizations: defineCollection<OrganizationRecord>({
    table: tableNames.organizations,
    ownsItself: true,
    fields: {
      id: 'uuid',
      name: 'text',
      plan: 'text',
      minutes_balance: 'number?',
      credit_balance: 'number?',
      local_models_approved: 'boolean',
      concurrency_limit: 'integer?',
      dial_policy: 'json?',
      content_retention_days: 'integer?',
      metadata_retention_days: 'integer?',
      webhook_url: 'text?',
      webhook_secret: 'text?',
      webhook_previous_secret: 'text?',
      webhook_previous_secret_expires_at: 'timestamp?',
      sealing_key_id: 'uuid?',
      created_at: 'timestamp',
    },
  }),

  apiKeys: defineCollection<ApiKeyRecord>({
    table: tableNames.apiKeys,
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

  publishableKeys: defineCollection<PublishableKeyRecord>({
    table: tableNames.publishableKeys,
    fields: {
      id: 'uuid',
      name: 'text',
      key: 'text',
      agents: 'json',
      origins: 'json',
      variables: 'json',
      calls_per_minute: 'integer',
      calls_per_minute_per_address: 'integer',
      minutes_per_day: 'integer',
      max_call_seconds: 'integer',
      expires_at: 'timestamp?',
      revoked_at: 'timestamp?',
      created_at: 'timestamp',
      updated_at: 'timestamp',
    },
    unique: { key: { fields: ['key'], scope: 'deployment' } },
  }),

  agents: defineCollection<AgentRecord>({
    table: tableNames.agents,
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
      budget: 'json?',
      metadata: 'json?',
      created_at: 'timestamp',
      updated_at: 'timestamp',
    },
  }),

  trunks: defineCollection<SipTrunkRecord>({
    table: tableNames.trunks,
    fields: {
      id: 'uuid',
      type: 'text',
      name: 'text',
      provider: 'text',
      address: 'text',
      account: 'json?',
      auth_username: 'text?',
      auth_password_secret_id: 'uuid?',
      credentials_secret_id: 'uuid?',
      numbers: 'json',
      transport: 'text',
      max_concurrent_calls: 'integer?',
      media_source: 'text?',
      is_active: 'boolean',
      created_at: 'timestamp',
      updated_at: 'timestamp',
    },
  }),

  numbers: defineCollection<PhoneNumberRecord>({
    table: tableNames.numbers,
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

  toolTemplates: defineCollection<ToolTemplateRecord>({
    table: tableNames.toolTemplates,
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
    table: tableNames.analysisTemplates,
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
    table: tableNames.byokKeys,
    fields: { id: 'uuid', provider: 'text', secret_id: 'uuid', created_at: 'timestamp', updated_at: 'timestamp' },
    unique: { provider: { fields: ['provider'], scope: 'organization' } },
  }),

  secrets: defineCollection<SealedSecret>({
    table: tableNames.secrets,
    fields: { id: 'uuid', key_id: 'text', nonce: 'text', ciphertext: 'text', created_at: 'timestamp' },
  }),

  mailDomains: defineCollection<MailDomainRecord>({
    table: tableNames.mailDomains,
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
};
