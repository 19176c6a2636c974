import type {
  ApiKey,
  ByokProvider,
  Campaign,
  Client,
  Deployment,
  Lead,
  MailDomain,
  Organization,
  PhoneNumber,
  PublishableKey,
  SipTrunk,
  ToolTemplate,
  TrunkHealth,
  UsageSummary,
  Voice,
  WebhookDelivery,
} from '@va/client';

// Complete records of the API, one of each kind.

const at = '2026-03-01T12:00:00.000Z';
const stored = { created_at: at, updated_at: at };
const org_id = 'organization-1';

export function sampleApiKey(changes: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 'key-1',
    org_id,
    name: 'Server',
    scopes: ['calls:read', 'calls:write'],
    expires_at: null,
    revoked_at: null,
    created_at: at,
    ...changes,
  };
}

export function samplePublishableKey(changes: Partial<PublishableKey> = {}): PublishableKey {
  return {
    id: 'publishable-1',
    org_id,
    name: 'Shop',
    key: 'va_pk_0123456789abcdef',
    agents: ['agent-1'],
    origins: ['https://shop.example.com'],
    variables: [],
    calls_per_minute: 10,
    calls_per_minute_per_address: 2,
    minutes_per_day: 60,
    max_call_seconds: 600,
    expires_at: null,
    revoked_at: null,
    ...stored,
    ...changes,
  };
}

export function sampleNumber(changes: Partial<PhoneNumber> = {}): PhoneNumber {
  return {
    id: 'number-1',
    number: '+31201234567',
    phone_number: '+31201234567',
    name: 'Front desk',
    agent_id: 'agent-1',
    agent_name: 'Reception',
    business_name: null,
    transfer_trunk_id: null,
    transfer_trunk_name: null,
    is_active: true,
    ...stored,
    ...changes,
  };
}

export function sampleTrunk(changes: Partial<SipTrunk> = {}): SipTrunk {
  return {
    id: 'trunk-1',
    type: 'sip',
    name: 'Office',
    provider: 'voip',
    address: 'sip.example.com',
    account: null,
    auth_username: 'office',
    numbers: ['+31201234567'],
    transport: 'udp',
    max_concurrent_calls: null,
    media_source: null,
    is_active: true,
    ...stored,
    ...changes,
  };
}

type NodeHealth = TrunkHealth['nodes'][number];

export function sampleNodeHealth(changes: Partial<NodeHealth> = {}): NodeHealth {
  return {
    node_id: 'node-1',
    state: 'reachable',
    since: at,
    checked_at: at,
    round_trip_ms: 24,
    reason: null,
    last_webhook_at: null,
    last_answer_at: null,
    last_failure: null,
    ...changes,
  };
}

export function sampleDelivery(changes: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    id: 'delivery-1',
    webhook_id: 'webhook-1',
    agent_id: 'agent-1',
    call_id: 'call-1',
    event: 'end-of-call-report',
    url: 'https://example.com/hooks',
    status: 'failed',
    status_code: 500,
    attempts: [{ at, status_code: 500, latency_ms: 120, error: 'The server answered 500.' }],
    payload: { message: { type: 'end-of-call-report' } },
    delivered_at: null,
    ...stored,
    ...changes,
  };
}

export function sampleCampaign(changes: Partial<Campaign> = {}): Campaign {
  return {
    id: 'campaign-1',
    name: 'Spring',
    agent_id: 'agent-1',
    number_id: null,
    status: 'draft',
    status_reason: null,
    system_message_template: null,
    schedule_start_time: '09:00:00',
    schedule_end_time: '17:00:00',
    timezone: 'Europe/Amsterdam',
    schedule_days: ['mon', 'tue'],
    start_date: null,
    end_date: null,
    max_concurrent_calls: 2,
    calls_per_minute: null,
    max_attempts: 3,
    retry_delay_seconds: 3_600,
    retry_on: ['no_answer'],
    total_leads: 10,
    pending_leads: 4,
    calling_leads: 1,
    completed_leads: 3,
    failed_leads: 1,
    skipped_leads: 1,
    total_calls: 5,
    answered_calls: 3,
    answered_rate: 0.6,
    average_duration_seconds: 95,
    ...stored,
    ...changes,
  };
}

export function sampleLead(changes: Partial<Lead> = {}): Lead {
  return {
    id: 'lead-1',
    campaign_id: 'campaign-1',
    phone_number: '+31612345678',
    name: 'Anna',
    variables: {},
    status: 'pending',
    call_id: null,
    attempts: 0,
    last_attempt_at: null,
    next_attempt_at: null,
    last_end_reason: null,
    status_reason: null,
    ...stored,
    ...changes,
  };
}

export function sampleOrganization(changes: Partial<Organization> = {}): Organization {
  return {
    id: org_id,
    name: 'Harbour Restaurant',
    plan: 'team',
    minutes_balance: 1_250,
    credit_balance: null,
    monthly_usage_minutes: 340,
    active_numbers: 2,
    active_agents: 3,
    active_calls: 1,
    has_local_models_access: false,
    concurrency: { limit: 10, active: 1 },
    webhook_url: null,
    created_at: at,
    ...changes,
  };
}

export function sampleProvider(changes: Partial<ByokProvider> = {}): ByokProvider {
  return {
    id: 'deepgram',
    name: 'Deepgram',
    category: 'stt',
    docsUrl: 'https://example.com/docs',
    models: [],
    voices: [],
    ...changes,
  };
}

export function sampleVoice(changes: Partial<Voice> = {}): Voice {
  return {
    id: 'thalia',
    name: 'Thalia',
    language: 'en-US',
    description: { en: 'Warm and clear', nl: 'Warm en helder' },
    provider: 'deepgram',
    ...changes,
  };
}

export function sampleToolTemplate(changes: Partial<ToolTemplate> = {}): ToolTemplate {
  return {
    id: 'template-1',
    org_id,
    name: 'Find a table',
    description: 'Looks for a free table.',
    tool_type: 'function',
    tool_config: {},
    ...stored,
    ...changes,
  };
}

export function sampleMailDomain(changes: Partial<MailDomain> = {}): MailDomain {
  return {
    id: 'domain-1',
    org_id,
    domain_name: 'mail.example.com',
    provider: 'resend',
    provider_domain_id: null,
    status: 'pending',
    region: null,
    records: [
      {
        record: 'SPF',
        name: 'send.mail',
        type: 'TXT',
        ttl: 'Auto',
        value: 'v=spf1 include:example.com ~all',
        priority: null,
        status: 'not_started',
      },
    ],
    verified_at: null,
    ...stored,
    ...changes,
  };
}

type DeploymentNode = Deployment['nodes'][number];

export function sampleNode(changes: Partial<DeploymentNode> = {}): DeploymentNode {
  return {
    id: 'node-1',
    name: 'voice-1',
    version: '1.2.0',
    state: 'serving',
    started_at: at,
    last_seen_at: at,
    calls: 3,
    max_calls: 50,
    event_loop_lag_ms: 12,
    is_answering: true,
    providers: [],
    registrations: [],
    ...changes,
  };
}

type Statistics = Awaited<ReturnType<Client['statistics']['get']>>;
export type CallFigures = Statistics['total'];

export function sampleFigures(changes: Partial<CallFigures> = {}): CallFigures {
  return {
    calls: 12,
    answered_calls: 10,
    minutes: 34.5,
    cost: 2.25,
    turns: 80,
    latency_ms: { p50: 640, p95: 1_300 },
    interruptions: 4,
    tool_calls: 6,
    failed_tools: 1,
    end_reasons: { user_hangup: 9, agent_hangup: 3 },
    ...changes,
  };
}

export function sampleUsageSummary(changes: Partial<UsageSummary> = {}): UsageSummary {
  return {
    total_calls: 12,
    total_duration_seconds: 2_070,
    total_duration_minutes: 34.5,
    total_cost: 2.25,
    breakdown: [],
    ...changes,
  };
}
