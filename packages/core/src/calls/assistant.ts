import type { Agent, AnalysisPlan, LlmConfig, SttConfig, TtsConfig } from '../domain/agents/agent.ts';
import type { Budget } from '../domain/agents/budget.ts';
import { defaultSpeechConfig, type SpeechConfig, speechConfigSchema } from '../domain/agents/speech/speech-config.ts';

/** Configuration of one call, with the overrides of the customer's server applied. */
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
  /** Null for no limit. */
  readonly budget: Budget | null;
  readonly recordingEnabled: boolean;
  /** Receives a mail after the call. */
  readonly notificationEmail: string | null;
}

const defaultMaxDurationSeconds = 600;

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
  budget: null,
  recordingEnabled: true,
  notificationEmail: null,
};

export function assistantOf(agent: Agent): Assistant {
  // Records stored before a setting existed get its default.
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
    budget: agent.budget,
    recordingEnabled: agent.recording_enabled,
    notificationEmail: agent.notification_email,
  };
}
