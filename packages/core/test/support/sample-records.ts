import type { PublishableKeyRecord } from '../../src/domain/accounts/publishable-key.ts';
import type { UsageLog } from '../../src/domain/calls/usage-log.ts';
import type { CampaignRecord } from '../../src/domain/campaigns/campaign.ts';
import type { LeadRecord } from '../../src/domain/campaigns/lead.ts';
import type { PhoneNumberRecord } from '../../src/domain/numbers/phone-number.ts';
import type { SipTrunkRecord } from '../../src/domain/numbers/sip-trunk.ts';

/** Time at which a `VirtualClock` starts. */
export const startedAt = '2026-01-01T09:00:00.000Z';

/** Returns the n-th id of a kind of record, which the hexadecimal digit identifies. */
export function recordId(digit: string, n = 0): string {
  return `00000000-0000-7000-8${digit.repeat(3)}-${String(n).padStart(12, '0')}`;
}

/** Returns an active number without an agent and a trunk of its own. */
export function sampleNumber(changes: Partial<PhoneNumberRecord> = {}): PhoneNumberRecord {
  return {
    id: recordId('1'),
    number: '+31201234567',
    name: null,
    agent_id: null,
    transfer_trunk_id: null,
    is_active: true,
    created_at: startedAt,
    updated_at: startedAt,
    ...changes,
  };
}

/** Returns an active SIP trunk without credentials, limits and numbers. */
export function sampleTrunk(changes: Partial<SipTrunkRecord> = {}): SipTrunkRecord {
  return {
    id: recordId('2'),
    type: 'sip',
    name: 'Main',
    provider: 'acme',
    address: 'sip.example.com',
    account: null,
    auth_username: null,
    auth_password_secret_id: null,
    credentials_secret_id: null,
    numbers: [],
    transport: 'udp',
    max_concurrent_calls: null,
    media_source: null,
    is_active: true,
    created_at: startedAt,
    updated_at: startedAt,
    ...changes,
  };
}

/** Returns a running campaign without leads that calls at any time. */
export function sampleCampaign(changes: Partial<CampaignRecord> = {}): CampaignRecord {
  return {
    id: recordId('3'),
    name: 'Spring',
    agent_id: null,
    number_id: null,
    status: 'running',
    status_reason: null,
    system_message_template: null,
    schedule_start_time: '00:00:00',
    schedule_end_time: '23:59:59',
    timezone: 'UTC',
    schedule_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
    start_date: null,
    end_date: null,
    max_concurrent_calls: 5,
    calls_per_minute: null,
    max_attempts: 3,
    retry_delay_seconds: 600,
    retry_on: ['no_answer', 'busy', 'failed'],
    total_leads: 0,
    pending_leads: 0,
    calling_leads: 0,
    completed_leads: 0,
    failed_leads: 0,
    skipped_leads: 0,
    total_calls: 0,
    answered_calls: 0,
    talk_seconds: 0,
    next_pass_at: null,
    paced_until_ms: null,
    dial_failures: 0,
    slowed_until_ms: null,
    created_at: startedAt,
    updated_at: startedAt,
    ...changes,
  };
}

/** Returns the n-th pending lead of the campaign of `sampleCampaign`. */
export function sampleLead(n: number, changes: Partial<LeadRecord> = {}): LeadRecord {
  const phone = `+3161234${String(n).padStart(4, '0')}`;
  return {
    id: recordId('4', n),
    campaign_id: recordId('3'),
    phone_number: phone,
    unique_number: phone,
    name: null,
    variables: {},
    status: 'pending',
    call_id: null,
    attempts: 0,
    dial_failures: 0,
    last_attempt_at: null,
    next_attempt_at: null,
    last_end_reason: null,
    status_reason: null,
    created_at: startedAt,
    updated_at: startedAt,
    ...changes,
  };
}

/** Returns a publishable key without agents and origins. */
export function samplePublishableKey(changes: Partial<PublishableKeyRecord> = {}): PublishableKeyRecord {
  return {
    id: recordId('5'),
    name: 'Shop',
    key: 'pk_1',
    agents: [],
    origins: [],
    variables: [],
    calls_per_minute: 10,
    calls_per_minute_per_address: 5,
    minutes_per_day: 60,
    max_call_seconds: 300,
    expires_at: null,
    revoked_at: null,
    created_at: startedAt,
    updated_at: startedAt,
    ...changes,
  };
}

/** Returns the usage of a phone call that took a minute, without a cost. */
export function sampleUsageLog(callId: string, changes: Partial<UsageLog> = {}): UsageLog {
  return {
    id: recordId('6'),
    call_id: callId,
    agent_id: null,
    agent_name: null,
    business_name: null,
    phone_number: null,
    call_type: 'phone',
    direction: 'inbound',
    duration_seconds: 60,
    minutes_used: 1,
    cost: null,
    cost_breakdown: [],
    currency: null,
    publishable_key_id: null,
    created_at: startedAt,
    ...changes,
  };
}
