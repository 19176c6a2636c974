import { z } from 'zod';
import { outboundCall, supervision, webCall } from '../new-call-shapes.ts';
import { type Row, row } from '../row.ts';
import { call, control, pagination, recordingPeaks, success, usageLog, usageSummary } from '../shapes.ts';
import { statistics } from '../statistics-shape.ts';

const callLocation = /\/calls\/[0-9a-f-]{36}$/;

const commands = [
  { type: 'say', content: 'One moment.', end_after: false, interruptible: false },
  { type: 'inject-context', content: 'The caller is a regular.', trigger_response: false },
  { type: 'mute-assistant' },
  { type: 'unmute-assistant' },
  { type: 'set-variables', variables: { name: 'Jan' } },
  { type: 'end-call', message: 'Goodbye.' },
];

export const callRows: readonly Row[] = [
  row('GET /calls', {
    async request(tenant) {
      await tenant.addCall();
      return {};
    },
    body: z.strictObject({ calls: z.array(call).length(1), pagination }),
    has: { pagination: { total: 1, limit: 100, offset: 0 } },
  }),
  row('GET /calls/{id}', {
    request: async (tenant) => ({ params: [(await tenant.addCall()).id] }),
    body: call,
    has: { messages: [{ role: 'assistant', content: 'Hello.' }, { role: 'user' }], metadata: { table: 12 } },
  }),
  row('DELETE /calls/{id}', {
    request: async (tenant) => ({ params: [(await tenant.addCall()).id] }),
    body: success,
  }),
  row('POST /calls/outbound', {
    title: 'places a call for a saved agent',
    async request(tenant) {
      const { agent, number } = await tenant.newLine();
      const json = { destination: '+31201234567', agent_id: agent.id, number_id: number.id };
      const more = { first_message: 'Hi {{name}}', variables: { name: 'Jan' }, metadata: { order: 7 } };
      return { json: { ...json, ...more, max_duration_seconds: 60, ring_timeout_seconds: 20 } };
    },
    status: 201,
    body: outboundCall,
    location: callLocation,
  }),
  row('POST /calls/outbound', {
    title: 'places a call for an inline agent',
    async request(tenant) {
      await tenant.newLine();
      const scripted = { provider: 'scripted' };
      const agent = { first_message: 'Hi.', stt_config: scripted, llm_config: scripted, tts_config: scripted };
      return { json: { destination: 'sip:reception@example.com', agent } };
    },
    status: 201,
    body: outboundCall,
    location: callLocation,
  }),
  row('POST /calls/outbound', {
    title: 'places a call for a saved agent with overrides',
    async request(tenant) {
      const { agent } = await tenant.newLine();
      const agent_override = { llm_config: { provider: 'scripted' }, first_message: null };
      return { json: { destination: '+31201234567', agent_id: agent.id, agent_override } };
    },
    status: 201,
    body: outboundCall,
    location: callLocation,
  }),
  row('POST /calls/web', {
    async request(tenant) {
      const { id } = await tenant.newAgent();
      return { json: { agent_id: id, variables: { name: 'Jan' }, metadata: { page: '/pricing' } } };
    },
    status: 201,
    body: webCall,
  }),
  ...commands.map((json) =>
    row('POST /calls/{id}/control', {
      title: `accepts the command ${json.type}`,
      request: async (tenant) => ({ params: [(await tenant.newLiveCall()).id], json: { ...json, command_id: 'one' } }),
      body: control,
      has: { command_id: 'one' },
    }),
  ),
  ...['POST /calls/{id}/listen', 'POST /calls/{id}/take-over'].map((operation) =>
    row(operation, {
      request: async (tenant) => ({ params: [(await tenant.newLiveCall()).id] }),
      status: 201,
      body: supervision,
    }),
  ),
  row('GET /calls/{id}/recording', {
    async request(tenant) {
      const { id } = await tenant.addCall();
      tenant.api.recordings.recorded.add(id);
      return { params: [id] };
    },
    body: null,
    contentType: 'audio/wav',
  }),
  row('GET /calls/{id}/recording', {
    title: 'returns a byte range',
    async request(tenant) {
      const { id } = await tenant.addCall();
      tenant.api.recordings.recorded.add(id);
      return { params: [id], headers: { range: 'bytes=10-19' } };
    },
    status: 206,
    body: null,
    contentType: 'audio/wav',
  }),
  row('GET /calls/{id}/recording/peaks', {
    async request(tenant) {
      const { id } = await tenant.addCall();
      tenant.api.recordings.recorded.add(id);
      return { params: [id], query: 'points=10' };
    },
    body: recordingPeaks,
    has: { duration_ms: 30, sample_rate: 8_000 },
  }),
  row('GET /calls/{id}/events', {
    request: async (tenant) => ({ params: [(await tenant.addCall({ ended_at: '2026-01-01T00:00:00.000Z' })).id] }),
    body: null,
    contentType: 'text/event-stream',
  }),
  row('GET /calls/{id}/events', {
    title: 'returns 204 when the call has ended and all events were received',
    request: async (tenant) => ({
      params: [(await tenant.addCall({ ended_at: '2026-01-01T00:00:00.000Z' })).id],
      headers: { 'last-event-id': '7' },
    }),
    status: 204,
    body: null,
    contentType: undefined,
  }),
  row('GET /calls/live', {
    request: async () => ({ leavesStreams: true }),
    body: null,
    contentType: 'text/event-stream',
  }),
  row('GET /events', {
    request: async () => ({ leavesStreams: true }),
    body: null,
    contentType: 'text/event-stream',
  }),
];

export const usageRows: readonly Row[] = [
  row('GET /usage', {
    async request(tenant) {
      await tenant.addUsage();
      await tenant.addUsage({ duration_seconds: 30, minutes_used: 0.5, cost: 0.1 });
      return { query: 'limit=1' };
    },
    body: z.strictObject({ logs: z.array(usageLog).length(1), pagination, summary: usageSummary }),
    has: {
      pagination: { total: 2, limit: 1, offset: 0 },
      summary: { total_calls: 2, total_duration_seconds: 120, total_duration_minutes: 2, total_cost: 0.35 },
    },
  }),
  row('GET /stats', {
    async request(tenant) {
      await tenant.addStatistics({ end_reason: 'user_hangup', turns: 2, turns_to_500: 2 });
      await tenant.addStatistics({ end_reason: 'busy', answered: 0, duration_seconds: 0, cost: null });
      return { query: 'group_by=direction' };
    },
    body: statistics,
    has: {
      group_by: 'direction',
      stats: [{ key: 'inbound', calls: 2, end_reasons: { user_hangup: 1, busy: 1 } }],
      total: { calls: 2, answered_calls: 1, minutes: 1.5, cost: 0.25, latency_ms: { p50: 450, p95: 495 } },
    },
  }),
];
