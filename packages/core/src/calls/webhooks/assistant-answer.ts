import { z } from 'zod';
import { analysisPlanSchema, llmConfigSchema, sttConfigSchema, ttsConfigSchema } from '../../domain/agents/agent.ts';
import { keepModelSecrets } from '../../domain/agents/model-secrets.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { faultsOf } from '../../input/parse-input.ts';
import type { Assistant } from '../assistant.ts';

const overridesSchema = z
  .strictObject({
    firstMessage: z.string().max(10_000).nullable(),
    stt_config: sttConfigSchema,
    llm_config: llmConfigSchema,
    tts_config: ttsConfigSchema,
    analysisPlan: analysisPlanSchema,
  })
  .partial();

/** The response to an `assistant-request`. */
export const assistantAnswerSchema = z
  .strictObject({
    /** Replaces these blocks of the saved agent for this call. */
    assistant: overridesSchema.nullable(),
    /** Id of another saved, active agent that takes the call. */
    assistantId: z.string().nullable(),
    /** Replaces these blocks of that agent. */
    assistantOverride: overridesSchema.nullable(),
    /** 10–43200. */
    maxDurationSeconds: z.int().min(10).max(43_200).nullable(),
    /** Said to the caller before a hang-up; null or an empty text lets the call continue. */
    error: z.string().max(10_000).nullable(),
  })
  .partial();

export type AssistantAnswer = z.infer<typeof assistantAnswerSchema>;
/** The response as the customer's server writes it. */
export type AssistantRequestAnswer = z.input<typeof assistantAnswerSchema>;
type Overrides = z.infer<typeof overridesSchema>;

export interface ReadAssistantAnswer {
  /** The valid parts; null if the body is not an object. */
  readonly answer: AssistantAnswer | null;
  /** The ignored parts, with the reasons. */
  readonly faults: readonly string[];
}

/** Reads each part of a response separately: an invalid setting is ignored, and the other settings still apply. */
export function readAssistantAnswer(body: unknown): ReadAssistantAnswer {
  if (!isRecord(body)) return { answer: null, faults: ['expected a JSON object'] };
  const faults: string[] = [];
  const { assistant, assistantOverride, ...rest } = body;
  const answer: AssistantAnswer = readParts(assistantAnswerSchema, rest, '', faults);
  const overrides = { assistant, assistantOverride };
  for (const [key, written] of Object.entries(overrides)) {
    if (written === undefined || written === null) continue;
    if (!isRecord(written)) faults.push(`${key}: expected an object`);
    else Object.assign(answer, { [key]: readParts(overridesSchema, written, `${key}.`, faults) satisfies Overrides });
  }
  return { answer, faults };
}

/** Returns the keys of an object that fit their schemas; adds the faults of the others to `faults`. */
function readParts<S extends z.ZodObject>(
  schema: S,
  written: Readonly<Record<string, unknown>>,
  prefix: string,
  faults: string[],
): z.output<S> {
  const valid: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(written)) {
    const part = Object.hasOwn(schema.shape, key) ? (schema.shape[key] as z.ZodType) : null;
    const parsed = part?.safeParse(value);
    if (parsed?.success) valid[key] = parsed.data;
    else if (parsed === undefined) faults.push(`${prefix}${key}: is not a known field`);
    else
      faults.push(...faultsOf(parsed.error, value, [key]).map((fault) => `${prefix}${fault.path}: ${fault.message}`));
  }
  return valid as z.output<S>;
}

/**
 * Replaces each given block as a whole. Language models at a URL of the saved agent keep their secrets, which the
 * `assistant-request` does not contain.
 */
export function applyAnswer(assistant: Assistant, answer: AssistantAnswer): Assistant {
  const overrides = { ...answer.assistant, ...answer.assistantOverride };
  const { llm_config: llmConfig, analysis_plan: analysisPlan } = keepModelSecrets(
    { ...omitUndefined({ llm_config: overrides.llm_config, analysis_plan: overrides.analysisPlan }) },
    { llm_config: assistant.llmConfig, analysis_plan: assistant.analysisPlan },
  );
  return {
    ...assistant,
    ...(overrides.firstMessage === undefined ? {} : { firstMessage: overrides.firstMessage }),
    ...(overrides.stt_config === undefined ? {} : { sttConfig: overrides.stt_config }),
    ...(overrides.llm_config === undefined ? {} : { llmConfig: llmConfig ?? overrides.llm_config }),
    ...(overrides.tts_config === undefined ? {} : { ttsConfig: overrides.tts_config }),
    ...(overrides.analysisPlan === undefined ? {} : { analysisPlan: analysisPlan ?? overrides.analysisPlan }),
    ...(answer.maxDurationSeconds == null ? {} : { maxDurationSeconds: answer.maxDurationSeconds }),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
