import { z } from 'zod';
import { costItem } from './cost-item-shape.ts';

/** The objects of the API as the contract defines them, with every field and no others. */

export const id = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
export const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const text = z.string();
const maybeText = text.nullable();
const object = z.record(z.string(), z.unknown());
const list = z.array(z.unknown());

export const success = z.strictObject({ success: z.literal(true) });
export const pagination = z.strictObject({ total: z.int(), limit: z.int(), offset: z.int() });

export const agent = z.strictObject({
  id,
  name: text,
  business_name: maybeText,
  notification_email: maybeText,
  first_message: maybeText,
  is_active: z.boolean(),
  webhook_url: maybeText,
  webhook_secret: text,
  webhook_events: z.array(text).nullable(),
  analysis_plan: object.nullable(),
  stt_config: object.nullable(),
  llm_config: object.nullable(),
  tts_config: object.nullable(),
  speech_config: object.nullable(),
  max_duration_seconds: z.int(),
  silence_timeout_seconds: z.int().nullable(),
  voicemail_detection: z.boolean(),
  voicemail_message: maybeText,
  recording_enabled: z.boolean(),
  budget: z.strictObject({ max_cost: z.number(), warn_at: z.number(), message: maybeText }).nullable(),
  metadata: object.nullable(),
  created_at: time,
  updated_at: time,
});

export const phoneNumber = z.strictObject({
  id,
  number: z.string().regex(/^\+\d+$/),
  phone_number: z.string().regex(/^\+\d+$/),
  name: maybeText,
  agent_id: id.nullable(),
  agent_name: maybeText,
  business_name: maybeText,
  transfer_trunk_id: id.nullable(),
  transfer_trunk_name: maybeText,
  is_active: z.boolean(),
  created_at: time,
  updated_at: time,
});

const message = z.strictObject({ role: z.enum(['user', 'assistant']), content: text });
const percentiles = z.strictObject({ p50: z.number(), p95: z.number() });
const turn = z.strictObject({
  total_ms: z.number(),
  endpointing_ms: z.number(),
  stt_final_ms: z.number().nullable(),
  first_audio_ms: z.number().nullable(),
  llm_first_token_ms: z.number().nullable(),
  tts_first_byte_ms: z.number().nullable(),
});

export const call = z.strictObject({
  id,
  caller_phone: maybeText,
  assistant_phone: maybeText,
  status: z.enum(['queued', 'connecting', 'in-progress', 'ended', 'failed']),
  error: maybeText,
  started_at: time.nullable(),
  answered_at: time.nullable(),
  ended_at: time.nullable(),
  duration_seconds: z.int().nullable(),
  summary: maybeText,
  analysis_result: object.nullable(),
  analysis_status: z.enum(['pending', 'completed', 'failed']).nullable(),
  analysis_error: maybeText,
  erased_at: time.nullable(),
  messages: z.array(message),
  room_name: text,
  agent_id: id.nullable(),
  number_id: id.nullable(),
  agent_name: maybeText,
  business_name: maybeText,
  phone_number: maybeText,
  direction: z.enum(['inbound', 'outbound', 'web']),
  end_reason: maybeText,
  recording_url: maybeText,
  metadata: object.nullable(),
  variables: object.nullable(),
  campaign_id: id.nullable(),
  lead_id: id.nullable(),
  publishable_key_id: id.nullable(),
  transfer_destination: maybeText,
  cost: z.number().nullable(),
  cost_breakdown: z.array(costItem),
  latency: z
    .strictObject({ turns: z.array(turn), total_ms: percentiles.nullable(), interruptions_ms: z.array(z.number()) })
    .nullable(),
  media: z
    .strictObject({
      received: z.strictObject({
        packets: z.int(),
        packets_lost: z.int(),
        packets_dropped: z.int(),
        jitter_ms: z.number(),
      }),
      sent: z.strictObject({ packets: z.int(), packets_lost: z.int().nullable(), jitter_ms: z.number().nullable() }),
      round_trip_ms: z.number().nullable(),
    })
    .nullable(),
  created_at: time,
  updated_at: time,
});

export const control = z.strictObject({ success: z.literal(true), message: text, command_id: text });

export const usageLog = z.strictObject({
  id,
  call_id: id,
  agent_id: id.nullable(),
  agent_name: maybeText,
  business_name: maybeText,
  phone_number: maybeText,
  call_type: z.enum(['phone', 'web']),
  direction: z.enum(['inbound', 'outbound', 'web']),
  duration_seconds: z.int(),
  minutes_used: z.number(),
  cost: z.number().nullable(),
  cost_breakdown: z.array(costItem),
  currency: maybeText,
  publishable_key_id: id.nullable(),
  created_at: time,
});

export const usageSummary = z.strictObject({
  total_calls: z.int(),
  total_duration_seconds: z.int(),
  total_duration_minutes: z.number(),
  total_cost: z.number(),
  breakdown: z.array(costItem.omit({ is_estimate: true })),
});

export const trunk = z.strictObject({
  id,
  type: z.enum(['sip', 'twilio', 'telnyx', 'plivo', 'vonage']),
  name: text,
  provider: text,
  address: text,
  account: object.nullable(),
  auth_username: maybeText,
  numbers: z.array(text),
  transport: z.enum(['udp', 'tcp', 'tls']),
  max_concurrent_calls: z.int().nullable(),
  media_source: z.enum(['latch', 'strict']).nullable(),
  is_active: z.boolean(),
  created_at: time,
  updated_at: time,
});

export const toolTemplate = z.strictObject({
  id,
  name: text,
  description: maybeText,
  tool_type: z.enum(['function', 'endCall', 'transferCall']),
  tool_config: object,
  org_id: id,
  created_at: time,
  updated_at: time,
});

export const analysisTemplate = z.strictObject({
  id,
  org_id: id,
  name: text,
  description: maybeText,
  system_prompt: text,
  user_prompt: text,
  schema: object,
  is_active: z.boolean(),
  created_at: time,
  updated_at: time,
});

export const campaign = z.strictObject({
  id,
  name: text,
  agent_id: id.nullable(),
  number_id: id.nullable(),
  status: z.enum(['draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled']),
  status_reason: maybeText,
  system_message_template: maybeText,
  schedule_start_time: z.string().regex(/^\d\d:\d\d:\d\d$/),
  schedule_end_time: z.string().regex(/^\d\d:\d\d:\d\d$/),
  timezone: text,
  schedule_days: z.array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])),
  start_date: maybeText,
  end_date: maybeText,
  max_concurrent_calls: z.int(),
  calls_per_minute: z.int().nullable(),
  max_attempts: z.int(),
  retry_delay_seconds: z.int(),
  retry_on: z.array(text),
  total_leads: z.int(),
  pending_leads: z.int(),
  calling_leads: z.int(),
  completed_leads: z.int(),
  failed_leads: z.int(),
  skipped_leads: z.int(),
  total_calls: z.int(),
  answered_calls: z.int(),
  answered_rate: z.number().nullable(),
  average_duration_seconds: z.number().nullable(),
  created_at: time,
  updated_at: time,
});

export const lead = z.strictObject({
  id,
  campaign_id: id,
  phone_number: text,
  name: maybeText,
  variables: object,
  status: z.enum(['pending', 'calling', 'completed', 'failed', 'skipped']),
  call_id: id.nullable(),
  attempts: z.int(),
  last_attempt_at: time.nullable(),
  next_attempt_at: time.nullable(),
  last_end_reason: maybeText,
  status_reason: maybeText,
  created_at: time,
  updated_at: time,
});

export const doNotCallEntry = z.strictObject({
  id,
  phone_number: text,
  reason: maybeText,
  created_at: time,
});

export const bulkResult = z.strictObject({
  created: z.int(),
  skipped: z.int(),
  failed: z.int(),
  errors: z.array(z.strictObject({ index: z.int(), phone_number: maybeText, code: text, message: text })),
});

export const voice = z.strictObject({
  id: text,
  name: text,
  language: text,
  description: z.strictObject({ en: text, nl: text }),
  provider: text,
});

export const realtimeVoice = z.strictObject({ id: text, name: text, style: text });

export const byokProvider = z.strictObject({
  id: text,
  name: text,
  category: text,
  docsUrl: z.url(),
  models: z.array(z.strictObject({ id: text, name: text, default: z.boolean() })),
  voices: z.array(z.strictObject({ id: text, name: text })),
});

export const byokKeys = z.record(z.string().regex(/^[a-z]+_secret_id$/), id.nullable());

const domainStatus = z.enum(['not_started', 'pending', 'verified', 'partially_verified', 'partially_failed', 'failed']);

export const domain = z.strictObject({
  id,
  org_id: id,
  domain_name: text,
  provider: text,
  provider_domain_id: maybeText,
  status: domainStatus,
  region: maybeText,
  records: z.array(
    z.strictObject({
      record: text,
      name: text,
      type: text,
      ttl: text,
      value: text,
      priority: z.int().nullable(),
      status: domainStatus,
    }),
  ),
  created_at: time,
  updated_at: time,
  verified_at: time.nullable(),
});

export const availableDomains = z.strictObject({
  domains: z.array(z.strictObject({ id: text, name: text, status: text, region: maybeText })),
  selected_domain_id: maybeText,
});

export const organization = z.strictObject({
  id,
  name: text,
  plan: text,
  minutes_balance: z.number().nullable(),
  credit_balance: z.number().nullable(),
  monthly_usage_minutes: z.number(),
  active_numbers: z.int(),
  active_agents: z.int(),
  active_calls: z.int(),
  has_local_models_access: z.boolean(),
  concurrency: z.strictObject({ limit: z.int().nullable(), active: z.int() }),
  webhook_url: maybeText,
  created_at: time,
});

export const apiKey = z.strictObject({
  id,
  org_id: id,
  name: text,
  scopes: z.array(text),
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
  created_at: time,
});

export const publishableKey = z.strictObject({
  id,
  org_id: id,
  name: text,
  key: z.string().regex(/^va_pk_[\w-]{43}$/),
  agents: z.array(id),
  origins: z.array(text),
  variables: z.array(text),
  calls_per_minute: z.int(),
  calls_per_minute_per_address: z.int(),
  minutes_per_day: z.int(),
  max_call_seconds: z.int(),
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
  created_at: time,
  updated_at: time,
});

export const delivery = z.strictObject({
  id,
  webhook_id: text,
  agent_id: id.nullable(),
  call_id: id.nullable(),
  event: text,
  url: text,
  status: z.enum(['pending', 'delivered', 'failed']),
  status_code: z.int().nullable(),
  attempts: z.array(
    z.strictObject({ at: time, status_code: z.int().nullable(), latency_ms: z.number(), error: maybeText }),
  ),
  payload: object,
  created_at: time,
  updated_at: time,
  delivered_at: time.nullable(),
});

const peaks = z.array(z.number().min(0).max(1)).length(10);

export const recordingPeaks = z.strictObject({
  duration_ms: z.int(),
  sample_rate: z.int(),
  channels: z.strictObject({ caller: peaks, agent: peaks }),
});

export const webhookTest = z.strictObject({
  status_code: z.int().nullable(),
  latency_ms: z.number(),
  error: z.string().nullable(),
});

export const probe = z.strictObject({ status: z.enum(['live', 'ready']), reason: z.null().optional() });

export const health = z.strictObject({
  status: z.enum(['ok', 'degraded', 'unavailable']),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  timestamp: time,
  checks: z.record(text, z.strictObject({ status: z.enum(['ok', 'failed']), message: text.optional() })),
});

export const openApi = z.looseObject({
  openapi: z.string().startsWith('3.1'),
  info: object,
  servers: list,
  paths: object,
});
