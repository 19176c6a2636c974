import { z } from 'zod';

/** Which of an organization's own provider keys is in the vault, and where. */
export interface ByokKeyRecord {
  id: string;
  provider: string;
  secret_id: string;
  created_at: string;
  updated_at: string;
}

/** `<provider>_secret_id` of every known provider: the vault's id, or null. */
export const byokKeysSchema = z.record(z.string(), z.uuid().nullable());
export type ByokKeys = z.infer<typeof byokKeysSchema>;

export const setByokKeySchema = z.strictObject({
  provider: z.string().trim().min(1).max(100),
  /** It travels in a header, so that it cannot be just any text. */
  api_key: z
    .string()
    .trim()
    .max(2_000)
    .regex(/^[\x21-\x7e]+$/, 'expected a key of printable ASCII characters, without spaces'),
});
export type NewByokKey = z.input<typeof setByokKeySchema>;

export const deleteByokKeySchema = z.strictObject({ provider: z.string().trim().min(1).max(100) });
export type DeletedByokKey = z.input<typeof deleteByokKeySchema>;

export const byokProviderSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** What the provider is used for, such as `stt`, `llm`, `tts`, `realtime`. */
  category: z.string(),
  docsUrl: z.string(),
  models: z.array(z.object({ id: z.string(), name: z.string(), default: z.boolean() })),
  voices: z.array(z.object({ id: z.string(), name: z.string() })),
});

/** A provider for which an organization may bring its own key. */
export type ByokProvider = z.infer<typeof byokProviderSchema>;
