import { z } from 'zod';

const maxProviderOptionsBytes = 8_192;

/** Settings of `llm_config` in addition to the common ones. */
export const optionsSchema = z.object({
  /** Limit of one reply, including reasoning. */
  max_output_tokens: z.int().min(16).max(128_000).optional(),
  top_p: z.number().min(0).max(1).optional(),
  /** For models of version 4 of the AI SDK. */
  reasoning: z.enum(['provider-default', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
  /** Options of the AI SDK's provider, by its name: `{ "anthropic": { … } }`. */
  provider_options: z
    .record(z.string().max(100), z.record(z.string().max(100), z.json()))
    .refine((options) => Buffer.byteLength(JSON.stringify(options)) <= maxProviderOptionsBytes, {
      message: `expected at most ${maxProviderOptionsBytes} bytes of JSON`,
    })
    .optional(),
});
