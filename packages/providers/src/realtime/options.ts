import { z } from 'zod';
import { bodyOptions } from '../shared/options/vendor-options.ts';

/** Fields of `session.update` that the adapter and the conversation decide about. */
const reserved = [
  ...['type', 'model', 'output_modalities', 'modalities', 'instructions', 'audio', 'voice', 'turn_detection'],
  ...['tools', 'tool_choice', 'input_audio_format', 'output_audio_format', 'input_audio_transcription'],
];

/** BCP 47 tag of the caller's language. */
const languageOption = z.string().min(2).max(35).optional();

/**
 * Settings of `llm_config` for OpenAI's realtime models, in addition to the common ones.
 * @see https://platform.openai.com/docs/api-reference/realtime-client-events/session/update
 */
export const openAiRealtimeOptions = z.object({
  language: languageOption,
  speed: z.number().min(0.25).max(1.5).optional(),
  /** Noise reduction of the caller's audio. */
  noise_reduction: z.enum(['near_field', 'far_field']).optional(),
  /** Limit of one response, in tokens. */
  max_output_tokens: z.int().min(1).max(4_096).optional(),
  /** For reasoning models. Default: `minimal` for `gpt-realtime-2`, because reasoning delays the reply. */
  reasoning_effort: z.enum(['minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
  /** Further fields of the session. */
  options: bodyOptions(reserved),
});

/**
 * Settings of `llm_config` for xAI's realtime models, in addition to the common ones.
 * @see https://docs.x.ai/docs/guides/voice/agent
 */
export const xaiRealtimeOptions = z.object({
  language: languageOption,
  /** Default: `none`; the service's own default, `high`, delays replies. */
  reasoning_effort: z.enum(['none', 'high']).optional(),
  /** Further fields of the session. */
  options: bodyOptions(reserved),
});
