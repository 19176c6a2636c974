import { z } from 'zod';
import { httpUrlSchema } from '../records/http-url.ts';
import { budgetSchema } from './budget.ts';
import { contextSettingsSchema } from './context-settings.ts';
import { hasUrlForSecrets, modelEndpointFields, urlForSecrets } from './model-endpoint.ts';
import { promptMessagesSchema } from './prompt.ts';
import { keytermsSchema } from './speech/keyterms.ts';
import { speechConfigSchema } from './speech/speech-config.ts';
import { alone, isAlone, ttsConfigSchema } from './speech/tts-config.ts';
import { toolsSchema } from './tools/tool.ts';

export { type TtsConfig, ttsConfigSchema } from './speech/tts-config.ts';

const maxFallbacks = 3;

const sttFields = {
  provider: z.string().min(1),
  model: z.string().optional(),
  /** BCP 47 language tag, such as `en` or `nl-NL`. */
  language: z.string().optional(),
};

/** Speech-to-text settings of an agent: those that all providers share; a provider checks its own. */
export const sttConfigSchema = z.looseObject({
  ...sttFields,
  keyterms: keytermsSchema.optional(),
  /** Used in this order when the provider fails. */
  fallbacks: z.array(z.looseObject(sttFields).refine(isAlone, alone)).max(maxFallbacks).optional(),
});

const llmFields = {
  /** Name of an entry in the host's provider registry. */
  provider: z.string().min(1),
  model: z.string().optional(),
  voice: z.string().optional(),
  temperature: z.number().min(0).max(2).optional(),
  ...modelEndpointFields,
};

const llmFallbackSchema = z.looseObject(llmFields).refine(isAlone, alone).refine(hasUrlForSecrets, urlForSecrets);

/** Language-model settings of an agent: those that all providers share; a provider checks its own. */
export const llmConfigSchema = z
  .looseObject({
    ...llmFields,
    messages: promptMessagesSchema,
    tools: toolsSchema.default([]),
    /** Limits of the conversation that the model receives; defaults if absent. */
    context: contextSettingsSchema.optional(),
    /** Used in this order when the provider fails, with the same messages and tools. */
    fallbacks: z.array(llmFallbackSchema).max(maxFallbacks).optional(),
  })
  .refine(hasUrlForSecrets, urlForSecrets);

/**
 * Settings of the analysis of ended calls. Placeholders in the contents of messages: `{{transcript}}` (or
 * `{transcript}`) and `{{schema}}`.
 */
export const analysisPlanSchema = z.strictObject({
  structuredDataPlan: z
    .strictObject({
      enabled: z.boolean(),
      schema: z.record(z.string(), z.unknown()),
      messages: promptMessagesSchema,
    })
    .optional(),
  /** Summary of the call; made by default, unless `enabled` is false. */
  summaryPlan: z.strictObject({ enabled: z.boolean(), messages: promptMessagesSchema }).optional(),
  /** Minimum number of messages that a call must have to be analysed; 2 by default. */
  minMessagesThreshold: z.int().min(0).optional(),
  /** Model of the analysis; by default the agent's own. */
  llm_config: z
    .looseObject({
      ...llmFields,
      fallbacks: z.array(llmFallbackSchema).max(maxFallbacks).optional(),
    })
    .refine(hasUrlForSecrets, urlForSecrets)
    .optional(),
});

/** Events of which an agent's webhook can be notified. */
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
  /** The most that each call may cost; null for no limit. Needs prices of the host. */
  budget: budgetSchema.nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
};

/** An agent, as the API returns it. */
export const agentSchema = z.object({
  id: z.uuid(),
  ...agentFields,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** An AI agent that answers and places calls. */
export type Agent = z.infer<typeof agentSchema>;

/** An agent as stored. */
export type AgentRecord = Agent & {
  /** The previous webhook secret. */
  webhook_previous_secret: string | null;
  /** Webhooks are signed with the previous secret too until this time. */
  webhook_previous_secret_expires_at: string | null;
};

/** Defaults of a new agent. */
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
  budget: null,
  metadata: null,
} as const satisfies Partial<Agent>;

/** Body of `PATCH /agents/{id}`. */
export const updateAgentSchema = z.strictObject(agentFields).partial();
/** Body of `POST /agents`. */
export const createAgentSchema = updateAgentSchema.required({ name: true });

/** Body of `PATCH /agents/{id}`; nested settings may omit fields that have defaults. */
export type AgentChanges = z.input<typeof updateAgentSchema>;
/** Body of `POST /agents`. */
export type NewAgent = z.input<typeof createAgentSchema>;
/** Speech-to-text settings of an agent. */
export type SttConfig = z.infer<typeof sttConfigSchema>;
/** Language-model settings of an agent. */
export type LlmConfig = z.infer<typeof llmConfigSchema>;
/** Settings of the analysis of an agent's calls: its parts, their prompts and the model. */
export type AnalysisPlan = z.infer<typeof analysisPlanSchema>;
