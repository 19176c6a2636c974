import {
  type Agent,
  type ApiKey,
  type Call,
  type Organization,
  type PhoneNumberRecord,
  systemClock,
  uuidv7,
} from '@va/core';

export function newId(): string {
  return uuidv7(systemClock);
}

/** The n-th millisecond of an arbitrary day. */
export function instant(n: number): string {
  return new Date(Date.UTC(2026, 4, 1, 12) + n).toISOString();
}

export function newOrganization(): Organization {
  return {
    id: newId(),
    name: 'Acme',
    plan: 'self-hosted',
    webhook_url: null,
    webhook_secret: null,
    created_at: instant(0),
  };
}

export function newApiKey(orgId: string, changes: Partial<ApiKey> = {}): ApiKey {
  const id = newId();
  return {
    id,
    org_id: orgId,
    name: 'ci',
    scopes: ['*'],
    hash: id.replaceAll('-', '').padEnd(64, '0'),
    expires_at: null,
    revoked_at: null,
    created_at: instant(0),
    ...changes,
  };
}

export function newAgent(changes: Partial<Agent> = {}): Agent {
  return {
    id: newId(),
    name: 'Reception',
    business_name: null,
    notification_email: null,
    first_message: 'Hello.',
    is_active: true,
    webhook_url: null,
    webhook_secret: 'whsec_c2VjcmV0',
    webhook_events: null,
    analysis_plan: null,
    stt_config: null,
    llm_config: null,
    tts_config: null,
    speech_config: null,
    max_duration_seconds: 600,
    silence_timeout_seconds: null,
    voicemail_detection: true,
    voicemail_message: null,
    recording_enabled: true,
    metadata: null,
    created_at: instant(0),
    updated_at: instant(0),
    ...changes,
  };
}

let lastNumber = 31_200_000_000;

export function newNumber(changes: Partial<PhoneNumberRecord> = {}): PhoneNumberRecord {
  lastNumber += 1;
  return {
    id: newId(),
    number: `+${lastNumber}`,
    name: null,
    agent_id: null,
    transfer_trunk_id: null,
    is_active: true,
    created_at: instant(0),
    updated_at: instant(0),
    ...changes,
  };
}

export function newCall(changes: Partial<Call> = {}): Call {
  return {
    id: newId(),
    caller_phone: '+31612345678',
    assistant_phone: '+31201234567',
    status: 'queued',
    error: null,
    started_at: instant(0),
    answered_at: null,
    ended_at: null,
    duration_seconds: null,
    summary: null,
    analysis_result: null,
    messages: [],
    room_name: 'call-1',
    agent_id: null,
    number_id: null,
    agent_name: null,
    business_name: null,
    phone_number: '+31201234567',
    direction: 'inbound',
    end_reason: null,
    recording_url: null,
    metadata: null,
    variables: null,
    campaign_id: null,
    lead_id: null,
    transfer_destination: null,
    cost: null,
    latency: null,
    created_at: instant(0),
    updated_at: instant(0),
    ...changes,
  };
}
