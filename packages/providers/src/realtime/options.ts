import { z } from 'zod';

/** BCP 47 tag of the language that the caller speaks. */
export const languageOption = z.string().min(2).max(35).optional();

/**
 * Settings of `llm_config` for OpenAI's realtime models, beside the common ones.
 * @see https://platform.openai.com/docs/api-reference/realtime-client-events/session/update
 */
export const openAiRealtimeOptions = z.object({
  language: languageOption,
  /** Pace of the speech. */
  speed: z.number().min(0.25).max(1.5).optional(),
  /** Reduces noise before the model hears the caller. */
  noise_reduction: z.enum(['near_field', 'far_field']).optional(),
  /** Limit of one response. */
  max_output_tokens: z.int().min(1).max(4_096).optional(),
  /** For models that reason; `minimal` by default with `gpt-realtime-2`, as reasoning delays the reply. */
  reasoning_effort: z.enum(['minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
});

/**
 * Settings of `llm_config` for xAI's realtime models, beside the common ones.
 * @see https://docs.x.ai/docs/guides/voice/agent
 */
export const xaiRealtimeOptions = z.object({
  language: languageOption,
  /** `none` by default: the service's own default, `high`, delays replies. */
  reasoning_effort: z.enum(['none', 'high']).optional(),
});
