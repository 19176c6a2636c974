import type { PostResult } from './sender.ts';

export interface PostOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly readsAnswer: boolean;
  readonly traceparent?: string | null;
}

/** An attempt, as it was made. */
export interface Posted extends PostResult {
  readonly url: string;
  /** As they may be shown: without the token. */
  readonly headers: Record<string, string>;
}

/** One that was not made. */
export function refused(url: string, message: string): Posted {
  const outcome = { ok: false, reason: 'refused', status: null, message, latencyMs: 0 } as const;
  return { url, headers: {}, outcome, retryAfterMs: 0 };
}
