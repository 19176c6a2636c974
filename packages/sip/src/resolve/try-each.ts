import type { Target } from '../transport/transport-layer.ts';
import type { PeerResolver } from './peer-resolver.ts';

/** What came of an attempt: an answer to keep, whatever it says, or none, so that the next target is tried. */
export type Attempt<T> =
  | { readonly type: 'answered'; readonly value: T }
  /** @see RFC 3263 §4.3: 503, no answer in time, or no connection. `retryAfterMs` where the target told it. */
  | { readonly type: 'failed'; readonly value: T; readonly retryAfterMs?: number | undefined };

/**
 * Tries one target after the other until one answers, and remembers which did not.
 * @returns what the one that answered said, or else the last failure; null without targets
 */
export async function tryEach<T>(
  resolver: PeerResolver,
  targets: readonly Target[],
  attempt: (target: Target, isLast: boolean) => Promise<Attempt<T>>,
): Promise<T | null> {
  let last: T | null = null;
  for (const [index, target] of targets.entries()) {
    const outcome = await attempt(target, index === targets.length - 1);
    last = outcome.value;
    if (outcome.type === 'answered') {
      resolver.succeeded(target);
      return last;
    }
    resolver.failed(target, outcome.retryAfterMs);
  }
  return last;
}
