import { z } from 'zod';
import { newPhoneNumber, campaign as required } from '../../support/tenant.ts';
import { type Row, row } from '../row.ts';
import { bulkResult, campaign, doNotCallEntry, lead, pagination, success } from '../shapes.ts';

const wrapped = z.strictObject({ campaign });
const location = /\/campaigns\/[0-9a-f-]{36}$/;

const defaults = {
  number_id: null,
  status: 'draft',
  status_reason: null,
  system_message_template: null,
  schedule_start_time: '09:00:00',
  schedule_end_time: '17:30:00',
  start_date: null,
  end_date: null,
  max_concurrent_calls: 5,
  calls_per_minute: null,
  max_attempts: 3,
  retry_delay_seconds: 3_600,
  retry_on: ['no_answer', 'busy', 'failed'],
  total_leads: 0,
  pending_leads: 0,
  calling_leads: 0,
  completed_leads: 0,
  failed_leads: 0,
  skipped_leads: 0,
  total_calls: 0,
  answered_calls: 0,
  answered_rate: null,
  average_duration_seconds: null,
};

const whole = {
  name: 'Autumn',
  system_message_template: 'Call {{name}}.',
  schedule_start_time: '10:15:30',
  schedule_end_time: '23:59:59',
  timezone: 'America/New_York',
  schedule_days: ['mon', 'sun'],
  start_date: '2026-03-01',
  end_date: '2026-03-31',
  max_concurrent_calls: 2,
  calls_per_minute: 10,
  max_attempts: 1,
  retry_delay_seconds: 0,
  retry_on: ['voicemail'],
};

export const campaignRows: readonly Row[] = [
  row('GET /campaigns', {
    async request(tenant) {
      await tenant.newCampaign();
      return {};
    },
    body: z.strictObject({ campaigns: z.array(campaign).length(1) }),
  }),
  row('POST /campaigns', {
    title: 'requires only the required fields and creates a draft',
    request: async (tenant) => ({ json: { ...required, agent_id: (await tenant.newAgent()).id } }),
    status: 201,
    body: wrapped,
    has: { campaign: defaults },
    location,
  }),
  row('POST /campaigns', {
    title: 'returns every field as written',
    request: async (tenant) => ({
      json: { ...whole, agent_id: (await tenant.newAgent()).id, number_id: (await tenant.newNumber()).id },
    }),
    status: 201,
    body: wrapped,
    has: { campaign: whole },
    location,
  }),
  row('GET /campaigns/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newCampaign()).id] }),
    body: wrapped,
  }),
  row('GET /campaigns/{id}/events', {
    async request(tenant) {
      const { id } = await tenant.newCampaign();
      await tenant.ok('PATCH', `/campaigns/${id}`, { status: 'cancelled' });
      return { params: [id] };
    },
    body: null,
    contentType: 'text/event-stream',
  }),
  row('PATCH /campaigns/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newCampaign()).id], json: { ...whole, status: 'scheduled' } }),
    body: wrapped,
    has: { campaign: { ...whole, status: 'scheduled' } },
  }),
  row('DELETE /campaigns/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newCampaign()).id] }),
    body: success,
  }),
];

const multipart = [
  '--line',
  'Content-Disposition: form-data; name="file"; filename="leads.csv"',
  'Content-Type: text/csv',
  '',
  'phone_number,name,city\r\n+31201230001,Jan,"Den Haag"\r\n',
  '--line--',
  '',
].join('\r\n');

export const leadRows: readonly Row[] = [
  row('GET /campaigns/{id}/leads', {
    async request(tenant) {
      const { id } = await tenant.newCampaign();
      await tenant.newLead(id);
      return { params: [id] };
    },
    body: z.strictObject({ leads: z.array(lead).length(1), pagination }),
    has: { pagination: { total: 1, limit: 100, offset: 0 } },
  }),
  row('POST /campaigns/{id}/leads', {
    request: async (tenant) => ({
      params: [(await tenant.newCampaign()).id],
      json: { phone_number: '+31 20 123 4567', name: 'Jan', variables: { city: 'Den Haag' } },
    }),
    status: 201,
    body: z.strictObject({ lead }),
    has: {
      lead: {
        phone_number: '+31201234567',
        name: 'Jan',
        variables: { city: 'Den Haag' },
        status: 'pending',
        call_id: null,
        attempts: 0,
      },
    },
    location: /\/campaigns\/[0-9a-f-]{36}\/leads$/,
  }),
  row('POST /campaigns/{id}/leads/bulk', {
    async request(tenant) {
      const { id } = await tenant.newCampaign();
      const [twice, once] = [newPhoneNumber(), newPhoneNumber()];
      const leads = [{ phone_number: twice }, { phone_number: twice }, { phone_number: once }, { phone_number: 'no' }];
      return { params: [id], json: { leads, on_duplicate: 'skip' } };
    },
    body: bulkResult,
    has: {
      created: 2,
      skipped: 1,
      failed: 1,
      errors: [{ index: 3, phone_number: 'no', code: 'invalid_phone_number' }],
    },
  }),
  row('POST /campaigns/{id}/leads/import', {
    title: 'accepts CSV with a byte-order mark',
    request: async (tenant) => ({
      params: [(await tenant.newCampaign()).id],
      headers: { 'content-type': 'text/csv' },
      body: '\uFEFFphone_number,name\r\n+31201230001,"Jan ""de"" Wit"\r\n12,Nobody\r\n',
    }),
    body: bulkResult,
    has: { created: 1, skipped: 0, failed: 1, errors: [{ index: 1, code: 'invalid_phone_number' }] },
  }),
  row('POST /campaigns/{id}/leads/import', {
    title: 'accepts a form, and creates nothing in a dry run',
    request: async (tenant) => ({
      params: [(await tenant.newCampaign()).id],
      query: 'dry_run=true',
      headers: { 'content-type': 'multipart/form-data; boundary=line' },
      body: multipart,
    }),
    body: bulkResult,
    has: { created: 1, skipped: 0, failed: 0, errors: [] },
  }),
  row('GET /campaigns/{id}/leads/export', {
    async request(tenant) {
      const { id } = await tenant.newCampaign();
      await tenant.newLead(id, { name: 'Jan', variables: { city: 'Den Haag' } });
      return { params: [id] };
    },
    body: null,
    contentType: 'text/csv; charset=utf-8',
  }),
  row('DELETE /campaigns/{id}/leads/{lead_id}', {
    async request(tenant) {
      const { id } = await tenant.newCampaign();
      return { params: [id, (await tenant.newLead(id)).id] };
    },
    body: success,
  }),
];

export const doNotCallRows: readonly Row[] = [
  row('GET /do-not-call', {
    async request(tenant) {
      await tenant.newDoNotCall();
      return {};
    },
    body: z.strictObject({ do_not_call: z.array(doNotCallEntry).length(1), pagination }),
    has: { pagination: { total: 1, limit: 100, offset: 0 } },
  }),
  row('GET /do-not-call', {
    title: 'returns whether a number is on the list',
    async request(tenant) {
      await tenant.newDoNotCall();
      const { phone_number } = await tenant.newDoNotCall();
      return { query: `phone_number=${encodeURIComponent(phone_number)}` };
    },
    body: z.strictObject({ do_not_call: z.array(doNotCallEntry).length(1), pagination }),
  }),
  row('POST /do-not-call', {
    request: async () => ({ json: { phone_number: '+31 20 123 4567', reason: 'Asked us to' } }),
    status: 201,
    body: z.strictObject({ entry: doNotCallEntry }),
    has: { entry: { phone_number: '+31201234567', reason: 'Asked us to' } },
    location: /\/do-not-call$/,
  }),
  row('DELETE /do-not-call/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newDoNotCall()).id] }),
    body: success,
  }),
];
