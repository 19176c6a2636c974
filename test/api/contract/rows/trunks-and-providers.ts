import { expect } from 'vitest';
import { z } from 'zod';
import { trunkHealth } from '../deployment-shapes.ts';
import { type Row, row } from '../row.ts';
import { byokKeys, byokProvider, realtimeVoice, success, trunk, voice } from '../shapes.ts';

const wrapped = z.strictObject({ trunk });

const written = {
  name: 'Backup',
  provider: 'Acme',
  address: 'sip.example.com:5070',
  auth_username: 'va',
  numbers: ['+31201234567'],
  transport: 'tls',
};

export const trunkRows: readonly Row[] = [
  row('GET /sip-trunks', {
    async request(tenant) {
      await tenant.newTrunk({ auth_password: 'hidden' });
      return {};
    },
    body: z.strictObject({ trunks: z.array(trunk).length(1) }),
  }),
  row('POST /sip-trunks', {
    request: async () => ({ json: { ...written, auth_password: 'hidden' } }),
    body: wrapped,
    has: { trunk: { ...written, is_active: true } },
  }),
  row('POST /sip-trunks', {
    title: 'requires only the required fields',
    request: async () => ({ json: { name: 'Main', provider: 'Acme', address: '192.0.2.1' } }),
    body: wrapped,
    has: { trunk: { auth_username: null, numbers: [], transport: 'udp', is_active: true } },
  }),
  row('GET /sip-trunks/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newTrunk()).id] }),
    body: wrapped,
  }),
  row('GET /sip-trunks/health', {
    async request(tenant) {
      tenant.api.telephony.trunkHealth.set((await tenant.newTrunk()).id, { state: 'reachable', round_trip_ms: 7 });
      return {};
    },
    body: z.strictObject({ trunks: z.array(trunkHealth).length(1) }),
    has: { trunks: [{ state: 'reachable', nodes: [{ round_trip_ms: 7 }] }] },
  }),
  row('GET /sip-trunks/{id}/health', {
    request: async (tenant) => ({ params: [(await tenant.newTrunk()).id] }),
    body: z.strictObject({ health: trunkHealth }),
    has: { health: { state: 'unknown', nodes: [] } },
  }),
  row('PATCH /sip-trunks/{id}', {
    request: async (tenant) => ({
      params: [(await tenant.newTrunk()).id],
      json: { ...written, auth_password: 'other', is_active: false },
    }),
    body: wrapped,
    has: { trunk: { ...written, is_active: false } },
  }),
  row('DELETE /sip-trunks/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newTrunk({ auth_password: 'hidden' })).id] }),
    body: success,
  }),
];

const realtimeVoices = [
  { id: 'ara', style: 'female, professional' },
  { id: 'rex', style: 'male, friendly' },
  { id: 'sal', style: 'neutral, calm' },
  { id: 'eve', style: 'female, warm' },
  { id: 'leo', style: 'male, energetic' },
];

export const voiceRows: readonly Row[] = [
  row('GET /voices', {
    body: z.strictObject({ voices: z.array(voice), xai_realtime_voices: z.array(realtimeVoice).length(5) }),
    has: { xai_realtime_voices: realtimeVoices },
  }),
  row('POST /voices/sample', {
    request: async () => ({ json: { tts_config: { provider: 'scripted' }, language: 'nl', text: 'Goedemorgen.' } }),
    body: null,
    contentType: 'audio/wav',
  }),
];

const key = { provider: 'openai', api_key: 'sk-of-the-customer' };
const changed = z.strictObject({ success: z.boolean(), byok_keys: byokKeys });
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

export const byokRows: readonly Row[] = [
  row('GET /byok', {
    async request(tenant) {
      await tenant.ok('POST', '/byok', key);
      return {};
    },
    body: z.strictObject({ byok_keys: byokKeys }),
    has: {
      byok_keys: { openai_secret_id: uuid, deepgram_secret_id: null, elevenlabs_secret_id: null, xai_secret_id: null },
    },
  }),
  row('POST /byok', {
    request: async () => ({ json: key }),
    body: changed,
    has: { success: true, byok_keys: { openai_secret_id: uuid, deepgram_secret_id: null } },
  }),
  row('DELETE /byok', {
    async request(tenant) {
      await tenant.ok('POST', '/byok', key);
      return { json: { provider: 'openai' } };
    },
    body: changed,
    has: { success: true, byok_keys: { openai_secret_id: null } },
  }),
  row('DELETE /byok/{provider}', {
    async request(tenant) {
      await tenant.ok('POST', '/byok', key);
      return { params: ['openai'] };
    },
    body: changed,
    has: { success: true, byok_keys: { openai_secret_id: null } },
  }),
  row('GET /byok/config', {
    body: z.strictObject({ providers: z.array(byokProvider).min(4) }),
    has: { providers: expect.arrayContaining([expect.objectContaining({ id: 'deepgram', category: 'stt' })]) },
  }),
];
