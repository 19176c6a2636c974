import { z } from 'zod';
import type { SettingsOf } from '../shared/options/options.ts';
import { bodyOptions } from '../shared/options/vendor-options.ts';

/** Fields that the adapter, the conversation and the host decide about. */
const reserved = [
  ...['model', 'messages', 'stream', 'stream_options', 'n', 'modalities', 'audio'],
  ...['tools', 'tool_choice', 'functions', 'function_call', 'temperature', 'service_tier', 'store', 'metadata'],
];

/**
 * Settings of `llm_config` in addition to the common ones, under the names of the service.
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export const optionsSchema = z.object({
  top_p: z.number().min(0).max(1).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  /** Limit of one reply, including reasoning. */
  max_completion_tokens: z.int().min(16).max(128_000).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
  verbosity: z.enum(['low', 'medium', 'high']).optional(),
  parallel_tool_calls: z.boolean().optional(),
  /** Further fields of the request. */
  options: bodyOptions(reserved),
});

/** Validated settings of `llm_config`. */
type OpenAiSettings = SettingsOf<typeof optionsSchema>;

/**
 * Returns the version of a general model of the GPT-5 family, such as 5.4 for `gpt-5.4-mini-2026-03-17`; null for other
 * models.
 */
function gpt5Version(model: string): number | null {
  const isOther = /-(pro|chat|codex)/.test(model);
  const version = /^gpt-(5(?:\.\d+)?)(?:-|$)/.exec(model)?.[1];
  return version === undefined || isOther ? null : Number(version);
}

/**
 * Adapts the settings to the model, so that the first token comes early. Reasoning takes seconds: unless the agent sets
 * an effort, the lowest one of the model is used. From 5.2 on, chat completions accept tools only with the effort
 * `none`, so that of the agent is ignored then. Models from 5.2 to 5.4 have this default, and reject the field with
 * tools even if it is `none`: it is omitted.
 */
export function settingsFor(model: string, settings: OpenAiSettings, hasTools: boolean): OpenAiSettings {
  const version = gpt5Version(model);
  if (version === null) return settings;
  const { reasoning_effort: asked, ...others } = settings;
  if (version >= 5.2 && hasTools) return version < 5.5 ? others : { ...others, reasoning_effort: 'none' };
  const lowest = version < 5.1 ? 'minimal' : version < 5.5 ? undefined : 'none';
  const effort = asked ?? lowest;
  return effort === undefined ? others : { ...others, reasoning_effort: effort };
}

/** Returns true if the model accepts `temperature` and `top_p`: reasoning models reject all values but the default. */
export function takesSampling(model: string, { reasoning_effort: effort }: OpenAiSettings): boolean {
  const version = gpt5Version(model);
  if (version === null) return !/^o\d/.test(model);
  return version >= 5.1 && (effort === undefined || effort === 'none');
}
