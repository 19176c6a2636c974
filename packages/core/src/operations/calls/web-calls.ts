import { passedLimit } from '../../calls/limits/limits.ts';
import { hasTooManyCalls, minutesUsedUp, reservableSeconds } from '../../calls/limits/publishable-key-limits.ts';
import { requireComplete } from '../../calls/origin/agent-completeness.ts';
import type { PublishableKeyRecord } from '../../domain/accounts/publishable-key.ts';
import { type NewWebCall, type WebCallAnswer, webCallSchema } from '../../domain/calls/web-call.ts';
import { RequestError } from '../../errors.ts';
import { parseInput } from '../../input/parse-input.ts';
import { invalidReference } from '../../input/references.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Records } from '../../ports/storage/records.ts';
import { limitError } from '../limit-error.ts';
import { issueToken, purgeBatch, requireFreeTokens, requireWebCallUrl } from './browser-tokens.ts';
import type { CallOperationsDependencies } from './call-operations-dependencies.ts';
import { allowedKey, type CallingPage } from './page-web-calls.ts';

/** Maximum unused tokens of an organization, those of publishable keys aside: their limit is the calls per minute. */
const maxOpenTokens = 100;

/** Values of Retry-After. */
const retryCallsSeconds = 10;
const retryMinutesSeconds = 300;

/**
 * Allows one call from a browser.
 * @param page the page that asks with a publishable key; null for a request without one
 * @throws RequestError 400 for the input, 402 `insufficient_credits`, 409 `agent_inactive`, 422 `agent_incomplete`, 429
 *   `concurrency_limit_exceeded`, 503 `unavailable` in a process that takes no web calls; for a page also 401
 *   `api_key_revoked`, 403 `forbidden`, 429 `rate_limit_exceeded` and `minutes_used_up`
 */
export async function createWebCall(
  deps: CallOperationsDependencies,
  orgId: string,
  input: NewWebCall,
  page: CallingPage | null = null,
): Promise<WebCallAnswer> {
  const { storage, clock, providers } = deps;
  const written = parseInput(webCallSchema, input);
  const { agent_id, variables = null, metadata = null } = written;
  const url = requireWebCallUrl(deps.webCallUrl);
  const key = page === null ? null : await allowedKey(storage, page, written);
  const agent = await storage.agents.get(orgId, agent_id);
  if (agent === null) throw invalidReference('agent_id', agent_id);
  if (!agent.is_active) throw new RequestError(409, 'agent_inactive', `The agent ${agent_id} is not active.`);
  requireComplete(agent, providers);
  const { token, fields } = issueToken('call', deps);
  const { created_at: now } = fields;
  const grant = {
    ...fields,
    agent_id,
    variables,
    metadata,
    publishable_key_id: key?.id ?? null,
    origin: page?.origin ?? null,
  };
  await storage.across.webCallGrants.purge({ where: { expires_at: { lt: now } } }, purgeBatch);
  await storage.transaction(async (tx) => {
    // Locks the organization, so that concurrent requests cannot pass the limit of open tokens together.
    const limit = await passedLimit(tx, orgId);
    if (limit !== null) throw limitError(limit);
    if (key !== null) await requireKeyLimits(tx, orgId, key, clock);
    else {
      const where = { publishable_key_id: null, expires_at: { gte: now } };
      requireFreeTokens(await tx.webCallGrants.count(orgId, { where }), maxOpenTokens, 'web calls');
    }
    await tx.webCallGrants.insert(orgId, grant);
  });
  return { success: true, call_id: grant.id, token, url, expires_at: grant.expires_at };
}

/** @throws RequestError 429 `rate_limit_exceeded` or `minutes_used_up` */
async function requireKeyLimits(tx: Records, orgId: string, key: PublishableKeyRecord, clock: Clock): Promise<void> {
  if (await hasTooManyCalls(tx, orgId, key, clock)) {
    const message = `More than ${key.calls_per_minute} calls within a minute. Try again in ${retryCallsSeconds} s.`;
    throw new RequestError(429, 'rate_limit_exceeded', message, [], { retryAfterSeconds: retryCallsSeconds });
  }
  if ((await reservableSeconds(tx, orgId, key, clock)) === 0) {
    const later = { retryAfterSeconds: retryMinutesSeconds };
    throw new RequestError(429, 'minutes_used_up', minutesUsedUp(key), [], later);
  }
}
