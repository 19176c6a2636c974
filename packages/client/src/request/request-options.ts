/** Options of one call to the API. */
export interface RequestOptions {
  /** Gives the call up: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** As in the options of the client, in its place. */
  readonly timeoutMs?: number | undefined;
  /**
   * Under which a POST is carried out once within 24 hours, however often it is sent; one of its own by default. Give
   * one to repeat a call safely from another process.
   */
  readonly idempotencyKey?: string | undefined;
}
