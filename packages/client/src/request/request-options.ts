/** Options of a single request. */
export interface RequestOptions {
  /** Aborts the request, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's option. */
  readonly timeoutMs?: number | undefined;
  /**
   * Requests with the same key run once within 24 hours; by default each POST has its own. Pass one to repeat a request
   * safely from another process.
   */
  readonly idempotencyKey?: string | undefined;
}
