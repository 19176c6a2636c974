/** An answer as it is kept for a replay. */
export interface StoredAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Below `/api/v1`, as in `/agents/0190…`; null where the answer has none. */
  readonly location: string | null;
  readonly body: string;
  /** Whether the body holds a secret: a store MUST NOT keep it in the clear. */
  readonly secret: boolean;
}

/** What a store says of a request with an `Idempotency-Key`. */
export type IdempotencyState =
  | {
      /** Nobody has sent it before: the caller MUST end it, one way or the other. */
      readonly state: 'new';
      /** Keeps the answer for the replays. */
      finish(answer: StoredAnswer): Promise<void>;
      /** Forgets the key, so that the request can be sent again. */
      abandon(): Promise<void>;
    }
  | { readonly state: 'replay'; readonly answer: StoredAnswer }
  | { readonly state: 'running' }
  | { readonly state: 'other_body' };

/** Remembers what was answered to requests with an `Idempotency-Key`, for 24 hours. */
export interface IdempotencyStore {
  /**
   * MUST be atomic: of requests that begin at the same time, on whichever node, one is `new`.
   * @param scope method and path, as in `POST /calls/outbound`
   * @param fingerprint of what was sent; another one under the same key is `other_body`
   */
  begin(orgId: string, scope: string, key: string, fingerprint: string): Promise<IdempotencyState>;
}
