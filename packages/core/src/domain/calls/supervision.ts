import { z } from 'zod';

/** Roles of a supervisor. `listen`: hears both sides. `talk`: speaks with the caller in the agent's place. */
const supervisionModes = ['listen', 'talk'] as const;
/** Role of a supervisor in a call. */
export type SupervisionMode = (typeof supervisionModes)[number];

/** Response of `POST /calls/{id}/listen` and `/take-over`. */
export const supervisionAnswerSchema = z.object({
  success: z.literal(true),
  call_id: z.uuid(),
  /** Secret of the browser; valid once, until `expires_at`. */
  token: z.string(),
  /** WebSocket URL that the browser connects to. */
  url: z.string(),
  expires_at: z.iso.datetime(),
});
/** Response of `POST /calls/{id}/listen` and `/take-over`. */
export type SupervisionAnswer = z.infer<typeof supervisionAnswerSchema>;

/** Permission for one browser to join a live call. Deleted when it is used. */
export interface SupervisionGrantRecord {
  id: string;
  /** SHA-256 of the token, hex. The token itself is shown once and never stored. */
  token_hash: string;
  call_id: string;
  mode: SupervisionMode;
  expires_at: string;
  created_at: string;
}
