/** Options of a single request. */
export interface RequestOptions {
  /** Aborts the request, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout in ms; overrides that of the client. */
  readonly timeoutMs?: number | undefined;
  /**
   * Requests with the same key are processed once within 24 hours. By default each POST has a random key. Pass your own
   * to repeat a request safely from another process.
   */
  readonly idempotencyKey?: string | undefined;
}
