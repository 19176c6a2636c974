/** State of a request with an `Idempotency-Key`. */
export interface IdempotencyRecord {
  id: string;
  /** Method and path. */
  scope: string;
  key: string;
  /** SHA-256 of the request's body, hex. */
  fingerprint: string;
  /** End of the lease of the request in progress; null once it has a response. */
  leased_until: string | null;
  /** `{status, body, headers}`, or null; a response with a secret is in the vault instead. */
  answer: Record<string, unknown> | null;
  answer_secret_id: string | null;
  expires_at: string;
  created_at: string;
}
