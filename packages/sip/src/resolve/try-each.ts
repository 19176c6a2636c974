import type { Target } from '../transport/transport-layer.ts';
import type { PeerResolver } from './peer-resolver.ts';

/** Result of an attempt: `answered` with a final result, or `failed`, in which case the next target is tried. */
export type TargetAttempt<T> =
  | { readonly type: 'answered'; readonly value: T }
  /** 503, no response in time, or no connection. `retryAfterMs` if the target stated it. @see RFC 3263 §4.3 */
  | { readonly type: 'failed'; readonly value: T; readonly retryAfterMs?: number | undefined };

/**
 * Tries the targets in order until one responds, and records those that did not.
 * @returns the result of the target that responded, else the last failure; null without targets
 */
export async function tryEach<T>(
  resolver: PeerResolver,
  targets: readonly Target[],
  attempt: (target: Target, isLast: boolean) => Promise<TargetAttempt<T>>,
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
