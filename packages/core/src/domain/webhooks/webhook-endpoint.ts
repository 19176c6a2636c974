/** A URL of a customer that fails. One that answers has no record. */
export interface WebhookEndpoint {
  id: string;
  url: string;
  /** No delivery has succeeded since. */
  failing_since: string;
  /** Nothing is sent there by itself since then; null while it still is. */
  disabled_at: string | null;
  /** Why it is disabled. */
  reason: string | null;
  created_at: string;
}
