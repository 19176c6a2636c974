/** A failing URL of a customer. Working URLs have no record. */
export interface WebhookEndpoint {
  id: string;
  url: string;
  /** Time of the first failure since the last successful delivery. */
  failing_since: string;
  /** Time since which automatic delivery is disabled; null if enabled. */
  disabled_at: string | null;
  /** Reason of the disabling. */
  reason: string | null;
  created_at: string;
}
