import type { CallRecord } from '../domain/calls/call.ts';
import type { CallCommandRecord } from '../domain/calls/call-control.ts';
import type { CallEvent } from '../domain/calls/call-event.ts';
import { type CallStatisticsRecord, turnClassFields } from '../domain/calls/call-statistics.ts';
import type { SupervisionGrantRecord } from '../domain/calls/supervision.ts';
import type { UsageLog } from '../domain/calls/usage-log.ts';
import type { WebCallGrantRecord } from '../domain/calls/web-call.ts';
import type { IdempotencyRecord } from '../domain/records/idempotency-record.ts';
import type { WebhookDelivery } from '../domain/webhooks/webhook-delivery.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import { defineCollection } from './definition.ts';
import { tableNames } from './table-names.ts';

const turnClassKinds = Object.fromEntries(turnClassFields.map((field) => [field, 'integer'])) as {
  readonly [Field in (typeof turnClassFields)[number]]: 'integer';
};

/** Collections with calls and the records that calls create. A collection follows those that it refers to. */
export const callCollections = {
  // No references: a call keeps the ids of its agent, number and campaign after they are deleted.
  calls: defineCollection<CallRecord>({
    table: tableNames.calls,
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
      publishable_key_id: 'uuid?',
      transfer_destination: 'text?',
      cost: 'number?',
      cost_breakdown: 'json',
      latency: 'json?',
      media: 'json?',
      erased_at: 'timestamp?',
      node_id: 'uuid?',
      webhook_sequence: 'integer',
      reserved_seconds: 'integer?',
      created_at: 'timestamp',
      updated_at: 'timestamp',
    },
    indexes: [
      'agent_id',
      'number_id',
      'campaign_id',
      'publishable_key_id',
      'status',
      'end_reason',
      'caller_phone',
      'assistant_phone',
    ],
    searched: ['messages'],
  }),

  callEvents: defineCollection<CallEvent>({
    table: tableNames.callEvents,
    order: 'oldest',
    fields: { id: 'uuid', call_id: 'uuid', seq: 'integer', type: 'text', data: 'json', created_at: 'timestamp' },
    unique: { seq: { fields: ['call_id', 'seq'], scope: 'organization' } },
  }),

  callCommands: defineCollection<CallCommandRecord>({
    table: tableNames.callCommands,
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

  webhookDeliveries: defineCollection<WebhookDelivery>({
    table: tableNames.webhookDeliveries,
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
    table: tableNames.webhookEndpoints,
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
    table: tableNames.usageLogs,
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
      cost_breakdown: 'json',
      currency: 'text?',
      publishable_key_id: 'uuid?',
      created_at: 'timestamp',
    },
    unique: { call_id: { fields: ['call_id'], scope: 'organization' } },
    indexes: ['agent_id', 'publishable_key_id'],
  }),

  callStatistics: defineCollection<CallStatisticsRecord>({
    table: tableNames.callStatistics,
    fields: {
      id: 'uuid',
      agent_id: 'uuid?',
      campaign_id: 'uuid?',
      day: 'text',
      direction: 'text',
      end_reason: 'text',
      answered: 'integer',
      duration_seconds: 'integer',
      cost: 'number?',
      turns: 'integer',
      interruptions: 'integer',
      tool_calls: 'integer',
      failed_tools: 'integer',
      ...turnClassKinds,
      created_at: 'timestamp',
    },
    indexes: ['agent_id', 'campaign_id'],
  }),

  idempotency: defineCollection<IdempotencyRecord>({
    table: tableNames.idempotency,
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

  webCallGrants: defineCollection<WebCallGrantRecord>({
    table: tableNames.webCallGrants,
    fields: {
      id: 'uuid',
      token_hash: 'text',
      agent_id: 'uuid',
      variables: 'json?',
      metadata: 'json?',
      publishable_key_id: 'uuid?',
      origin: 'text?',
      expires_at: 'timestamp',
      created_at: 'timestamp',
    },
    unique: { token_hash: { fields: ['token_hash'], scope: 'deployment' } },
    references: { agent_id: { to: 'agents', onDelete: 'cascade' } },
    indexes: ['agent_id', 'publishable_key_id', 'expires_at'],
  }),

  supervisionGrants: defineCollection<SupervisionGrantRecord>({
    table: tableNames.supervisionGrants,
    fields: {
      id: 'uuid',
      token_hash: 'text',
      call_id: 'uuid',
      mode: 'text',
      expires_at: 'timestamp',
      created_at: 'timestamp',
    },
    unique: { token_hash: { fields: ['token_hash'], scope: 'deployment' } },
    indexes: ['expires_at'],
  }),
};
