import type { PassedLimit } from '../../calls/limits/limits.ts';
import { newToken, type TokenKind, tokenHash } from '../../calls/token.ts';
import { timestamp } from '../../clock/timestamp.ts';
import { RequestError } from '../../errors.ts';
import { type RandomBytes, uuidv7 } from '../../ids.ts';
import type { Clock } from '../../ports/clock.ts';
import { limitError } from '../limit-error.ts';

/** Time within which the browser has to connect. */
const tokenLifetimeMs = 60_000;
/** Maximum number of expired grants that are deleted when a new one is stored. */
export const purgeBatch = 100;

/** The fields of a grant that are the same for each kind of token. */
export interface TokenFields {
  readonly id: string;
  readonly token_hash: string;
  readonly expires_at: string;
  readonly created_at: string;
}

/** Returns a new token, and the fields of its grant to be stored. */
export function issueToken(
  kind: TokenKind,
  { clock, random }: { readonly clock: Clock; readonly random: RandomBytes },
): { readonly token: string; readonly fields: TokenFields } {
  const token = newToken(kind, random);
  const fields = {
    id: uuidv7(clock, random),
    token_hash: tokenHash(token),
    expires_at: new Date(clock.wallMs() + tokenLifetimeMs).toISOString(),
    created_at: timestamp(clock),
  };
  return { token, fields };
}

/**
 * Returns the WebSocket URL of the deployment that browsers connect to.
 * @throws RequestError 503 `unavailable` if the deployment takes no web calls
 */
export function requireWebCallUrl(url: string | null | undefined): string {
  if (url != null) return url;
  throw new RequestError(503, 'unavailable', 'This deployment takes no web calls: it needs webCalls() and publicUrl.');
}

/** @throws RequestError 429 `concurrency_limit_exceeded` if an organization has its maximum of unused tokens */
export function requireFreeTokens(open: number, max: number, whose: string): void {
  if (open < max) return;
  const limit: PassedLimit = {
    reason: 'concurrency_limit_exceeded',
    message: `The organization has ${max} tokens of ${whose} that were not used yet.`,
  };
  throw limitError(limit);
}
