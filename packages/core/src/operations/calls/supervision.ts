import type { CallControl } from '../../calls/call-control.ts';
import type { PassedLimit } from '../../calls/limits/limits.ts';
import { notActive } from '../../calls/origin/refusal.ts';
import { newToken, tokenHash } from '../../calls/token.ts';
import { timestamp } from '../../clock/timestamp.ts';
import type { CallRecord } from '../../domain/calls/call.ts';
import type { SupervisionAnswer, SupervisionMode } from '../../domain/calls/supervision.ts';
import { RequestError } from '../../errors.ts';
import { uuidv7 } from '../../ids.ts';
import { limitError } from '../limit-error.ts';
import type { CallOperationsDependencies } from './call-operations-dependencies.ts';

/** Time within which the browser has to connect. */
const tokenLifetimeMs = 60_000;
/** Maximum unused tokens of an organization. */
const maxOpenTokens = 50;
const purgeBatch = 100;

const tokensAreUsedUp: PassedLimit = {
  reason: 'concurrency_limit_exceeded',
  message: `The organization has ${maxOpenTokens} tokens of supervisors that were not used yet.`,
};

/**
 * Allows one browser to join a live call.
 * @throws RequestError 409 `call_not_active`, 429 `concurrency_limit_exceeded`, 503 `unavailable` in a deployment that
 *   takes no web calls, or whose browsers cannot reach the node that runs the call
 */
export async function superviseCall(
  deps: CallOperationsDependencies & { readonly control: CallControl },
  orgId: string,
  call: CallRecord,
  mode: SupervisionMode,
): Promise<SupervisionAnswer> {
  const { storage, clock, random, control, webCallUrl } = deps;
  if (webCallUrl == null) {
    throw new RequestError(
      503,
      'unavailable',
      'This deployment takes no web calls: it needs webCalls() and publicUrl.',
    );
  }
  if (call.status !== 'in-progress') throw notActive(call.id);
  const url = (await control.webCallUrlOf(call)) ?? webCallUrl;
  const now = timestamp(clock);
  const token = newToken('supervision', random);
  const grant = {
    id: uuidv7(clock, random),
    token_hash: tokenHash(token),
    call_id: call.id,
    mode,
    expires_at: new Date(clock.wallMs() + tokenLifetimeMs).toISOString(),
    created_at: now,
  };
  await storage.across.supervisionGrants.purge({ where: { expires_at: { lt: now } } }, purgeBatch);
  if ((await storage.supervisionGrants.count(orgId, { where: { expires_at: { gte: now } } })) >= maxOpenTokens) {
    throw limitError(tokensAreUsedUp);
  }
  await storage.supervisionGrants.insert(orgId, grant);
  return { success: true, call_id: call.id, token, url, expires_at: grant.expires_at };
}
