import { z } from 'zod';
import type { Assistant } from '../../calls/assistant.ts';
import type { ProviderRegistry } from '../../calls/session/provider-registry.ts';
import { type Agent, type LlmConfig, llmConfigSchema } from '../../domain/agents/agent.ts';
import { modelsOf, withKnownModelSecrets, withoutModelSecrets } from '../../domain/agents/model-secrets.ts';
import type { Call } from '../../domain/calls/call.ts';

const defaultThreshold = 2;

const messagesSchema = z.array(z.object({ role: z.string(), content: z.string() }));

export const analysisTaskSchema = z.object({
  /** Without the conversation's prompt and tools. */
  llmConfig: llmConfigSchema,
  /** Null if not requested. */
  summary: z.object({ messages: messagesSchema }).nullable(),
  structured: z.object({ schema: z.record(z.string(), z.unknown()), messages: messagesSchema }).nullable(),
});

/** The requested results of an analysis. */
export type AnalysisTask = z.infer<typeof analysisTaskSchema>;

export interface TaskFacts {
  readonly call: Pick<Call, 'answered_at' | 'messages'>;
  readonly assistant: Assistant | null;
  readonly registry: ProviderRegistry;
  /** Model for agents without a text model, such as those with a speech-to-speech model. */
  readonly defaultLlm: LlmConfig | null;
}

/**
 * Returns the analysis to make after a call; null if nothing is requested, there is too little to analyse, or no model.
 */
export function analysisTaskOf({ call, assistant, registry, defaultLlm }: TaskFacts): AnalysisTask | null {
  if (assistant === null || call.answered_at === null) return null;
  const { analysisPlan: plan, llmConfig } = assistant;
  if (call.messages.length < Math.max(1, plan?.minMessagesThreshold ?? defaultThreshold)) return null;
  const own = llmConfig === null || registry.isRealtime(llmConfig.provider) ? null : llmConfig;
  const chosen = plan?.llm_config ?? own ?? defaultLlm;
  if (chosen === null) return null;
  const { summaryPlan, structuredDataPlan: data } = plan ?? {};
  const summary = summaryPlan?.enabled === false ? null : { messages: summaryPlan?.messages ?? [] };
  const structured = data?.enabled ? { schema: data.schema, messages: data.messages } : null;
  if (summary === null && structured === null) return null;
  return { llmConfig: { ...chosen, messages: [], tools: [] }, summary, structured };
}

/** Returns the task as its job stores it: without secrets. */
export function storedTask(task: AnalysisTask): AnalysisTask {
  return { ...task, llmConfig: withoutModelSecrets(task.llmConfig) };
}

/** Returns a stored task with the secrets that the agent has today for the same endpoints. */
export function taskToday(task: AnalysisTask, agent: Agent | null): AnalysisTask {
  return agent === null ? task : { ...task, llmConfig: withKnownModelSecrets(task.llmConfig, modelsOf(agent)) };
}
