import { z } from 'zod';
import {
  type Agent,
  type AnalysisPlan,
  analysisPlanSchema,
  type LlmConfig,
  llmConfigSchema,
  type SttConfig,
  sttConfigSchema,
  type TtsConfig,
  ttsConfigSchema,
} from '../domain/agent.ts';
import { defaultSpeechConfig, type SpeechConfig, speechConfigSchema } from '../domain/speech-config.ts';

/** The configuration of one call, after the customer's server had its say. */
export interface Assistant {
  readonly agentId: string | null;
  readonly name: string | null;
  readonly businessName: string | null;
  readonly firstMessage: string | null;
  readonly sttConfig: SttConfig | null;
  readonly llmConfig: LlmConfig | null;
  readonly ttsConfig: TtsConfig | null;
  readonly analysisPlan: AnalysisPlan | null;
  readonly speechConfig: SpeechConfig;
  readonly maxDurationSeconds: number;
  readonly recordingEnabled: boolean;
  /** Who is sent a mail after the call. */
  readonly notificationEmail: string | null;
}

export const defaultMaxDurationSeconds = 600;

export const emptyAssistant: Assistant = {
  agentId: null,
  name: null,
  businessName: null,
  firstMessage: null,
  sttConfig: null,
  llmConfig: null,
  ttsConfig: null,
  analysisPlan: null,
  speechConfig: defaultSpeechConfig,
  maxDurationSeconds: defaultMaxDurationSeconds,
  recordingEnabled: true,
  notificationEmail: null,
};

export function assistantOf(agent: Agent): Assistant {
  // One that was stored before there was a setting gets its default.
  const speech = speechConfigSchema.parse(agent.speech_config ?? {});
  const timeoutMs =
    agent.silence_timeout_seconds === null ? speech.silence.timeout_ms : agent.silence_timeout_seconds * 1_000;
  return {
    agentId: agent.id,
    name: agent.name,
    businessName: agent.business_name,
    firstMessage: agent.first_message,
    sttConfig: agent.stt_config,
    llmConfig: agent.llm_config,
    ttsConfig: agent.tts_config,
    analysisPlan: agent.analysis_plan,
    speechConfig: { ...speech, silence: { ...speech.silence, timeout_ms: timeoutMs } },
    maxDurationSeconds: agent.max_duration_seconds,
    recordingEnabled: agent.recording_enabled,
    notificationEmail: agent.notification_email,
  };
}

const overridesSchema = z
  .object({
    firstMessage: z.string().nullable(),
    stt_config: sttConfigSchema,
    llm_config: llmConfigSchema,
    tts_config: ttsConfigSchema,
    analysisPlan: analysisPlanSchema,
  })
  .partial();

const answerSchema = z
  .object({
    assistant: overridesSchema.nullable(),
    assistantId: z.string().nullable(),
    assistantOverride: overridesSchema.nullable(),
    maxDurationSeconds: z.int().min(10).max(43_200).nullable(),
    error: z.string().nullable(),
  })
  .partial();

/** What the customer's server answered to an assistant-request. */
export type AssistantAnswer = z.infer<typeof answerSchema>;

/** Null where the answer is not one: it is then ignored, and the caller is served with the saved configuration. */
export function parseAssistantAnswer(body: unknown): AssistantAnswer | null {
  const parsed = answerSchema.safeParse(body);
  return parsed.success ? parsed.data : null;
}

/** Each key that the answer gives replaces that block whole. */
export function applyAnswer(assistant: Assistant, answer: AssistantAnswer): Assistant {
  const overrides = { ...answer.assistant, ...answer.assistantOverride };
  return {
    ...assistant,
    ...(overrides.firstMessage === undefined ? {} : { firstMessage: overrides.firstMessage }),
    ...(overrides.stt_config === undefined ? {} : { sttConfig: overrides.stt_config }),
    ...(overrides.llm_config === undefined ? {} : { llmConfig: overrides.llm_config }),
    ...(overrides.tts_config === undefined ? {} : { ttsConfig: overrides.tts_config }),
    ...(overrides.analysisPlan === undefined ? {} : { analysisPlan: overrides.analysisPlan }),
    ...(answer.maxDurationSeconds == null ? {} : { maxDurationSeconds: answer.maxDurationSeconds }),
  };
}
