import { z } from 'zod';
import { httpUrlSchema } from '../records/http-url.ts';
import { contextSettingsSchema } from './context-settings.ts';
import { keytermsSchema } from './keyterms.ts';
import { promptMessagesSchema } from './prompt.ts';
import { speechConfigSchema } from './speech-config.ts';
import { toolsSchema } from './tool.ts';

const maxFallbacks = 3;

/** A fallback is tried in its turn; one with fallbacks of its own would be none. */
function isAlone(config: object): boolean {
  return !Object.hasOwn(config, 'fallbacks');
}
const alone = { path: ['fallbacks'], message: 'a fallback has no fallbacks of its own' };

const sttFields = {
  provider: z.string().min(1),
  model: z.string().optional(),
  /** BCP 47 language tag, such as `en` or `nl-NL`. */
  language: z.string().optional(),
};

export const sttConfigSchema = z.looseObject({
  ...sttFields,
  keyterms: keytermsSchema.optional(),
  /** Take over in this order where the provider fails. */
  fallbacks: z.array(z.looseObject(sttFields).refine(isAlone, alone)).max(maxFallbacks).optional(),
});

const llmFields = {
  /** Names an entry of the host's provider registry. */
  provider: z.string().min(1),
  model: z.string().optional(),
  voice: z.string().optional(),
  temperature: z.number().min(0).max(2).optional(),
};

export const llmConfigSchema = z.looseObject({
  ...llmFields,
  messages: promptMessagesSchema,
  tools: toolsSchema.default([]),
  /** Without it, the defaults of its keys count. */
  context: contextSettingsSchema.optional(),
  /** Take over in this order where the provider fails, with the same messages and tools. */
  fallbacks: z.array(z.looseObject(llmFields).refine(isAlone, alone)).max(maxFallbacks).optional(),
});

const ttsFields = {
  provider: z.string().min(1),
  voiceId: z.string().optional(),
  model: z.string().optional(),
  /** BCP 47 language tag of the text; that of `stt_config` by default. */
  language: z.string().optional(),
};

export const ttsConfigSchema = z.looseObject({
  ...ttsFields,
  /** Take over in this order where the provider fails. */
  fallbacks: z.array(z.looseObject(ttsFields).refine(isAlone, alone)).max(maxFallbacks).optional(),
});

/** In the contents of messages, `{{transcript}}` (or `{transcript}`) and `{{schema}}` stand for these. */
export const analysisPlanSchema = z.strictObject({
  structuredDataPlan: z
    .strictObject({
      enabled: z.boolean(),
      schema: z.record(z.string(), z.unknown()),
      messages: promptMessagesSchema,
    })
    .optional(),
  /** A summary is made unless this says otherwise. */
  summaryPlan: z.strictObject({ enabled: z.boolean(), messages: promptMessagesSchema }).optional(),
  /** Calls in which less was said are not analysed; 2 by default. */
  minMessagesThreshold: z.int().min(0).optional(),
  /** Which model reads the call; the agent's own by default. */
  llm_config: z
    .looseObject({
      ...llmFields,
      fallbacks: z.array(z.looseObject(llmFields).refine(isAlone, alone)).max(maxFallbacks).optional(),
    })
    .optional(),
});

export const webhookEventNames = [
  'assistant-request',
  'tool-calls',
  'status-update',
  'end-of-call-report',
  'campaign-update',
] as const;

const agentFields = {
  name: z.string().trim().min(1).max(200),
  business_name: z.string().max(200).nullable(),
  notification_email: z.email().nullable(),
  first_message: z.string().max(10_000).nullable(),
  is_active: z.boolean(),
  webhook_url: httpUrlSchema.nullable(),
  webhook_secret: z.string().min(1).max(500),
  webhook_events: z.array(z.enum(webhookEventNames)).nullable(),
  analysis_plan: analysisPlanSchema.nullable(),
  stt_config: sttConfigSchema.nullable(),
  llm_config: llmConfigSchema.nullable(),
  tts_config: ttsConfigSchema.nullable(),
  speech_config: speechConfigSchema.nullable(),
  max_duration_seconds: z.int().min(10).max(43_200),
  silence_timeout_seconds: z.int().min(1).max(3_600).nullable(),
  voicemail_detection: z.boolean(),
  voicemail_message: z.string().max(10_000).nullable(),
  recording_enabled: z.boolean(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
};

export const agentSchema = z.object({
  id: z.uuid(),
  ...agentFields,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** An AI agent that answers and places calls. */
export type Agent = z.infer<typeof agentSchema>;

/** An agent as it is stored. */
export type AgentRecord = Agent & {
  /** The secret before the current one. */
  webhook_previous_secret: string | null;
  /** Until then, webhooks are signed with it too. */
  webhook_previous_secret_expires_at: string | null;
};

/** What a new agent has where its maker says nothing. */
export const agentDefaults = {
  business_name: null,
  notification_email: null,
  first_message: null,
  is_active: true,
  webhook_url: null,
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
} as const satisfies Partial<Agent>;

export const updateAgentSchema = z.strictObject(agentFields).partial();
export const createAgentSchema = updateAgentSchema.required({ name: true });

/** As a caller writes them: nested settings may leave out what has a default. */
export type AgentChanges = z.input<typeof updateAgentSchema>;
export type NewAgent = z.input<typeof createAgentSchema>;
export type SttConfig = z.infer<typeof sttConfigSchema>;
export type LlmConfig = z.infer<typeof llmConfigSchema>;
export type TtsConfig = z.infer<typeof ttsConfigSchema>;
export type AnalysisPlan = z.infer<typeof analysisPlanSchema>;
