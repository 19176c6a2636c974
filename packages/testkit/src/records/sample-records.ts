import { type AgentRecord, type CallRecord, systemClock, timestamp, uuidv7 } from '@va/core/adapter';

/**
 * Returns a complete stored agent without providers, created now.
 *
 * @example await storage.agents.insert(orgId, sampleAgent({ name: 'Anna' }));
 */
export function sampleAgent(changes: Partial<AgentRecord> = {}): AgentRecord {
  const now = timestamp(systemClock);
  return {
    id: uuidv7(systemClock),
    name: 'Reception',
    business_name: null,
    notification_email: null,
    first_message: 'Hello.',
    is_active: true,
    webhook_url: null,
    webhook_secret: 'whsec_c2VjcmV0',
    webhook_previous_secret: null,
    webhook_previous_secret_expires_at: null,
    webhook_events: null,
    analysis_plan: null,
    stt_config: null,
    llm_config: null,
    tts_config: null,
    speech_config: null,
    max_duration_seconds: 600,
    budget: null,
    silence_timeout_seconds: null,
    voicemail_detection: true,
    voicemail_message: null,
    recording_enabled: true,
    metadata: null,
    created_at: now,
    updated_at: now,
    ...changes,
  };
}

/**
 * Returns a complete stored call: inbound and queued, created now.
 *
 * @example await storage.calls.insert(orgId, sampleCall({ status: 'ended', duration_seconds: 30 }));
 */
export function sampleCall(changes: Partial<CallRecord> = {}): CallRecord {
  const now = timestamp(systemClock);
  return {
    id: uuidv7(systemClock),
    caller_phone: '+31612345678',
    assistant_phone: '+31201234567',
    status: 'queued',
    error: null,
    started_at: now,
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
    publishable_key_id: null,
    transfer_destination: null,
    cost: null,
    cost_breakdown: [],
    latency: null,
    media: null,
    erased_at: null,
    analysis_status: null,
    analysis_error: null,
    node_id: null,
    webhook_sequence: 0,
    reserved_seconds: null,
    created_at: now,
    updated_at: now,
    ...changes,
  };
}
