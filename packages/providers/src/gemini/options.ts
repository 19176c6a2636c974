import { z } from 'zod';
import { bodyOptions } from '../shared/options/vendor-options.ts';

/** Fields of `setup` that the adapter and the conversation decide about. */
const reserved = [
  ...['model', 'generationConfig', 'systemInstruction', 'tools', 'realtimeInputConfig', 'sessionResumption'],
  ...['historyConfig', 'inputAudioTranscription', 'outputAudioTranscription', 'explicitVadSignal'],
];

/**
 * Settings of `llm_config` for Gemini Live, in addition to the common ones.
 * @see https://ai.google.dev/api/live#BidiGenerateContentSetup
 */
export const geminiLiveOptions = z.object({
  /** BCP 47 tag of the language that the model speaks. Native audio models choose the language themselves. */
  language: z.string().min(2).max(35).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.int().min(1).max(1_000).optional(),
  /** Limit of one response, in tokens. */
  max_output_tokens: z.int().min(1).max(65_536).optional(),
  /** Tokens that the model may think before it speaks; 0 turns thinking off. */
  thinking_budget: z.int().min(0).max(32_768).optional(),
  /** Adapts the voice to the caller's tone, with native audio models. */
  affective_dialog: z.boolean().optional(),
  /** Further fields of `setup`. */
  options: bodyOptions(reserved),
});
