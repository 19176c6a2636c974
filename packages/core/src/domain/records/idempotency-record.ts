/** What became of a request that carried an `Idempotency-Key`. */
export interface IdempotencyRecord {
  id: string;
  /** Method and path. */
  scope: string;
  key: string;
  /** SHA-256 of the request's body, hex. */
  fingerprint: string;
  /** Null once answered; else until when the request is taken to be worked on. */
  leased_until: string | null;
  /** `{status, body, headers}`, or null; an answer with a secret in it is in the vault instead. */
  answer: Record<string, unknown> | null;
  answer_secret_id: string | null;
  expires_at: string;
  created_at: string;
}
