import { z } from 'zod';

/** A provider key of an organization, as stored: the key itself is in the vault. */
export interface ByokKeyRecord {
  id: string;
  provider: string;
  secret_id: string;
  created_at: string;
  updated_at: string;
}

/** `<provider>_secret_id` of every known provider: the vault's id, or null. */
export const byokKeysSchema = z.record(z.string(), z.uuid().nullable());
/** `<provider>_secret_id` of every known provider: the vault's id, or null. */
export type ByokKeys = z.infer<typeof byokKeysSchema>;

/** Body of `POST /byok`. */
export const setByokKeySchema = z.strictObject({
  provider: z.string().trim().min(1).max(100),
  /** Restricted to the characters of an HTTP header, in which the key is sent. */
  api_key: z
    .string()
    .trim()
    .max(2_000)
    .regex(/^[\x21-\x7e]+$/, 'expected a key of printable ASCII characters, without spaces'),
});
/** Body of `POST /byok`. */
export type NewByokKey = z.input<typeof setByokKeySchema>;

/** Body of `DELETE /byok`. */
export const deleteByokKeySchema = z.strictObject({ provider: z.string().trim().min(1).max(100) });
/** Body of `DELETE /byok`. */
export type DeletedByokKey = z.input<typeof deleteByokKeySchema>;

/** A provider for which an organization can set a key of its own. */
export const byokProviderSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Uses of the provider, such as `stt`, `llm`, `tts`, `realtime`. */
  category: z.string(),
  docsUrl: z.string(),
  models: z.array(z.object({ id: z.string(), name: z.string(), default: z.boolean() })),
  voices: z.array(z.object({ id: z.string(), name: z.string() })),
});

/** A provider that accepts customer-supplied keys. */
export type ByokProvider = z.infer<typeof byokProviderSchema>;
