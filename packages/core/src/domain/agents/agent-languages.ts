import { z } from 'zod';
import { promptMessagesSchema } from './prompt.ts';
import { ttsConfigSchema } from './speech/tts-config.ts';

const prompts = z.array(z.string().min(1).max(1_000)).max(10);

const agentLanguageSchema = z.strictObject({
  /** BCP 47 language tag, such as `nl` or `pt-BR`. */
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, 'expected a BCP 47 tag, such as "nl" or "pt-BR"'),
  /** Voice of this language; by default the agent's own, told to speak the language. */
  tts_config: ttsConfigSchema.optional(),
  /**
   * Replaces the system messages of `llm_config` while this language is spoken. By default the model is told to reply
   * in the language.
   */
  messages: promptMessagesSchema.removeDefault().optional(),
  /** Replaces `silence.prompts`. */
  silence_prompts: prompts.optional(),
  /** Replaces `unrecognized.prompts`. */
  unrecognized_prompts: prompts.optional(),
  /** Replaces `filler.phrases`. */
  filler_phrases: z.array(z.string().min(1).max(200)).max(20).optional(),
});

/**
 * Languages to which a conversation switches when the caller speaks them, beside that of `stt_config`. Needs a
 * recognizer that detects languages.
 */
export const agentLanguagesSchema = z
  .array(agentLanguageSchema)
  .max(10)
  .refine((languages) => new Set(languages.map(({ language }) => primaryTag(language))).size === languages.length, {
    message: 'each language may be listed once',
  });

export type AgentLanguage = z.infer<typeof agentLanguageSchema>;

/** Returns the primary subtag of a BCP 47 tag in lower case: `pt` of `pt-BR`. */
export function primaryTag(language: string): string {
  return (language.split('-')[0] ?? '').toLowerCase();
}
