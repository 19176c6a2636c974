import { z } from 'zod';
import { recordIdSchema } from '../records/record-id.ts';

/** Longest JSON text of the variables, and of the metadata, of one call. */
const maxJsonLength = 16_384;

const boundedObject = z
  .record(z.string().min(1).max(100), z.unknown())
  .refine((value) => JSON.stringify(value).length <= maxJsonLength, {
    error: `expected at most ${maxJsonLength} characters of JSON`,
  });

/** Body of `POST /calls/web`. */
export const webCallSchema = z
  .strictObject({
    agent_id: recordIdSchema,
    /** Values of the placeholders in prompt and first message. */
    variables: boundedObject,
    /** Echoed in every webhook of the call. */
    metadata: boundedObject,
  })
  .partial()
  .required({ agent_id: true });

/** Body of `POST /calls/web`. */
export type NewWebCall = z.input<typeof webCallSchema>;

/** Response of `POST /calls/web`. */
export const webCallAnswerSchema = z.object({
  success: z.literal(true),
  /** The call's record exists once the browser has connected. */
  call_id: z.uuid(),
  /** Secret of the browser; valid once, until `expires_at`. */
  token: z.string(),
  /** WebSocket URL that the browser connects to. */
  url: z.string(),
  expires_at: z.iso.datetime(),
});
/** Response of `POST /calls/web`. */
export type WebCallAnswer = z.infer<typeof webCallAnswerSchema>;

/** Permission for one call from a browser. Deleted when it is used. */
export interface WebCallGrantRecord {
  /** Id of the call. */
  id: string;
  /** SHA-256 of the token, hex. The token itself is shown once and never stored. */
  token_hash: string;
  agent_id: string;
  variables: Record<string, unknown> | null;
  metadata: Record<string, unknown> | null;
  /** The publishable key that a page asked with; null for the host's own request. */
  publishable_key_id: string | null;
  /** The only origin whose pages may connect; null for any. */
  origin: string | null;
  expires_at: string;
  created_at: string;
}
