import { type PassedLimit, passedLimit } from '../../calls/limits/limits.ts';
import { requireComplete } from '../../calls/origin/agent-completeness.ts';
import { webCallTokenHash } from '../../calls/origin/redeemed-grant.ts';
import { timestamp } from '../../clock/timestamp.ts';
import { type NewWebCall, type WebCallAnswer, webCallSchema } from '../../domain/calls/web-call.ts';
import { RequestError } from '../../errors.ts';
import { uuidv7 } from '../../ids.ts';
import { parseInput } from '../../input/parse-input.ts';
import { invalidReference } from '../../input/references.ts';
import type { CallOperationsDependencies } from './call-operations-dependencies.ts';
import { limitError } from './limit-error.ts';

/** Time within which the browser has to connect. */
const tokenLifetimeMs = 60_000;
/** Maximum unused tokens of an organization. */
const maxOpenTokens = 100;
const purgeBatch = 100;

const tokensAreUsedUp: PassedLimit = {
  reason: 'concurrency_limit_exceeded',
  message: `The organization has ${maxOpenTokens} tokens of web calls that were not used yet.`,
};

/**
 * Allows one call from a browser.
 * @throws RequestError 400 for the input, 402 `insufficient_credits`, 409 `agent_inactive`, 422 `agent_incomplete`,
 *   429 `concurrency_limit_exceeded`, 503 `unavailable` in a process that takes no web calls
 */
export async function createWebCall(
  deps: CallOperationsDependencies,
  orgId: string,
  input: NewWebCall,
): Promise<WebCallAnswer> {
  const { storage, clock, random, providers } = deps;
  const { agent_id, variables = null, metadata = null } = parseInput(webCallSchema, input);
  const url = deps.webCallUrl;
  if (url == null) {
    throw new RequestError(
      503,
      'unavailable',
      'This deployment takes no web calls: it needs webCalls() and publicUrl.',
    );
  }
  const agent = await storage.agents.get(orgId, agent_id);
  if (agent === null) throw invalidReference('agent_id', agent_id);
  if (!agent.is_active) throw new RequestError(409, 'agent_inactive', `The agent ${agent_id} is not active.`);
  requireComplete(agent, providers);
  const now = timestamp(clock);
  const token = Buffer.from(random(32)).toString('base64url');
  const grant = {
    id: uuidv7(clock, random),
    token_hash: webCallTokenHash(token),
    agent_id,
    variables,
    metadata,
    expires_at: new Date(clock.wallMs() + tokenLifetimeMs).toISOString(),
    created_at: now,
  };
  await storage.across.webCallGrants.purge({ where: { expires_at: { lt: now } } }, purgeBatch);
  await storage.transaction(async (tx) => {
    // Locks the organization, so that concurrent requests cannot pass the limit of open tokens together.
    const limit = await passedLimit(tx, orgId);
    if (limit !== null) throw limitError(limit);
    const open = await tx.webCallGrants.count(orgId, { where: { expires_at: { gte: now } } });
    if (open >= maxOpenTokens) throw limitError(tokensAreUsedUp);
    await tx.webCallGrants.insert(orgId, grant);
  });
  return { success: true, call_id: grant.id, token, url, expires_at: grant.expires_at };
}
