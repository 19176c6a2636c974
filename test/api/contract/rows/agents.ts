import { expect } from 'vitest';
import { z } from 'zod';
import { type Row, row } from '../row.ts';
import { agent, success } from '../shapes.ts';
import { toolTrial } from '../tool-trial-shape.ts';

/** An agent with every writable field. */
export const wholeAgent = {
  name: 'Anna',
  business_name: 'Harbour Restaurant',
  notification_email: 'owner@example.com',
  first_message: 'Good evening.',
  is_active: false,
  webhook_url: 'https://customer.example.com/hook',
  webhook_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  webhook_events: ['assistant-request', 'end-of-call-report'],
  analysis_plan: {
    structuredDataPlan: {
      enabled: true,
      schema: { type: 'object', properties: { mood: { type: 'string' } } },
      messages: [{ role: 'system', content: 'Fill {{schema}}' }],
    },
    minMessagesThreshold: 2,
  },
  stt_config: { provider: 'deepgram', model: 'nova-3', language: 'nl' },
  llm_config: {
    provider: 'openai',
    model: 'gpt-4.1',
    voice: 'ara',
    temperature: 0.4,
    messages: [{ role: 'system', content: 'Be brief.' }],
    tools: [
      { type: 'endCall' },
      {
        type: 'transferCall',
        destinations: [
          { type: 'number', number: '+31201234567', description: 'Sales', message: 'One moment.', mode: 'warm' },
        ],
      },
      {
        type: 'function',
        name: 'book',
        description: 'Books a table',
        parameters: { type: 'object', properties: {} },
        async: false,
      },
    ],
    context: { max_tokens: 4_000, keep_last_turns: 4, summarize: false },
  },
  tts_config: { provider: 'elevenlabs', voiceId: '21m00Tcm4TlvDq8ikWAM', model: 'eleven_flash_v2_5' },
  speech_config: {
    vad: { start_threshold: 0.6, end_threshold: 0.3, min_speech_ms: 40, min_silence_ms: 500 },
    endpointing: {
      preset: 'patient',
      mode: 'fixed',
      min_delay_ms: 400,
      open_delay_ms: 900,
      unfinished_delay_ms: 1_900,
      max_delay_ms: 2_000,
      weights: { question: 0.5, prosody: 0, pauses: 2, turn_model: 1.5 },
      max_turn_ms: 30_000,
    },
    interruption: {
      enabled: true,
      lower_db: 6,
      min_duration_ms: 300,
      min_words: 1,
      ignore_backchannels: false,
      backchannels: ['jazeker'],
      resume_after_ms: 1_500,
      during_tools: false,
      echo_warmup_ms: 500,
      mute_strategies: ['first_speech', 'function_call'],
    },
    unrecognized: { timeout_ms: 5_000, prompts: ['Pardon?'], min_speech_ms: 2_000 },
    preemptive: { enabled: false, stable_ms: 250, speech: false, max_attempts: 2 },
    silence: { timeout_ms: 8_000, prompts: ['Hello?'] },
    filler: { phrases: ['One moment.'], delay_ms: 1_200 },
    dtmf: { enabled: true, timeout_ms: 3_000, terminator: '*', max_digits: 6 },
    ambient: { sound: 'office', clip: null, volume: 0.05 },
    hold: { clip: null, volume: 0.2 },
    normalize_text: false,
    pronunciations: [{ text: 'Scheveningen', say: 'Skhayfuhningun', case_sensitive: true }],
    first_message_interruptible: false,
    languages: [
      {
        language: 'pt-BR',
        tts_config: { provider: 'elevenlabs', voiceId: '21m00Tcm4TlvDq8ikWAM', language: 'pt' },
        messages: [{ role: 'system', content: 'Seja breve.' }],
        silence_prompts: ['Está aí?'],
        unrecognized_prompts: ['Como?'],
        filler_phrases: ['Um momento.'],
      },
    ],
  },
  max_duration_seconds: 900,
  silence_timeout_seconds: 20,
  voicemail_detection: false,
  voicemail_message: 'Call us back.',
  recording_enabled: false,
  budget: { max_cost: 2.5, warn_at: 0.5, message: 'I must go now.' },
  metadata: { shop: 7, nested: { deep: [1, null, 'x'] } },
};

/** An agent created with only a name. */
const bareAgent = {
  name: 'Anna',
  business_name: null,
  notification_email: null,
  first_message: null,
  is_active: true,
  webhook_url: null,
  webhook_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  webhook_events: null,
  analysis_plan: null,
  stt_config: null,
  llm_config: null,
  tts_config: null,
  budget: null,
  max_duration_seconds: 600,
  metadata: null,
};

const wrapped = z.strictObject({ agent });

export const agentRows: readonly Row[] = [
  row('GET /agents', {
    async request(tenant) {
      await tenant.newAgent();
      return {};
    },
    body: z.strictObject({ agents: z.array(agent).length(1) }),
  }),
  row('POST /agents', {
    title: 'requires only a name and fills in defaults',
    request: async () => ({ json: { name: 'Anna' } }),
    status: 201,
    body: wrapped,
    has: { agent: bareAgent },
    location: /\/agents\/[0-9a-f-]{36}$/,
  }),
  row('POST /agents', {
    title: 'returns every field as written',
    request: async () => ({ json: wholeAgent }),
    status: 201,
    body: wrapped,
    has: { agent: wholeAgent },
    location: /\/agents\/[0-9a-f-]{36}$/,
  }),
  row('POST /agents', {
    title: 'accepts the realtime mode and its alias',
    request: async () => ({
      json: { name: 'Ara', llm_config: { provider: 'vendor_realtime', model: 'grok-voice-latest', voice: 'ara' } },
    }),
    status: 201,
    body: wrapped,
    has: { agent: { llm_config: { provider: 'vendor_realtime', model: 'grok-voice-latest', voice: 'ara' } } },
    location: /\/agents\/[0-9a-f-]{36}$/,
  }),
  row('GET /agents/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newAgent()).id] }),
    body: wrapped,
  }),
  row('PATCH /agents/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newAgent()).id], json: wholeAgent }),
    body: wrapped,
    has: { agent: wholeAgent },
  }),
  row('POST /agents/{id}/tools/try', {
    request: async (tenant) => {
      const tools = [{ type: 'function', name: 'book', server: { url: 'http://127.0.0.1:9/tool' } }];
      const { id } = await tenant.newAgent({ llm_config: { provider: 'scripted', tools } });
      return { params: [id], json: { name: 'book', arguments: { people: 2 } } };
    },
    body: toolTrial,
  }),
  row('POST /agents/{id}/tools', {
    title: 'copies a tool template without returning its secret',
    request: async (tenant) => {
      const server = { url: 'https://customer.example.com/tool', secret: 'tool-secret-1234567890' };
      const template = { tool_type: 'function', tool_config: { name: 'book', server } };
      const { id } = await tenant.newToolTemplate(template);
      return { params: [(await tenant.newAgent()).id], json: { tool_template_id: id } };
    },
    body: wrapped,
    has: {
      agent: {
        llm_config: {
          tools: [
            {
              type: 'function',
              name: 'book',
              description: '',
              parameters: { type: 'object', properties: {} },
              server: { url: 'https://customer.example.com/tool' },
              async: false,
            },
          ],
        },
      },
    },
  }),
  row('DELETE /agents/{id}', {
    request: async (tenant) => ({ params: [(await tenant.newAgent()).id] }),
    body: success,
  }),
];
