import type { CallControl } from '../../calls/call-control.ts';
import { notActive } from '../../calls/origin/refusal.ts';
import type { CallRecord } from '../../domain/calls/call.ts';
import type { SupervisionAnswer, SupervisionMode } from '../../domain/calls/supervision.ts';
import { issueToken, purgeBatch, requireFreeTokens, requireWebCallUrl } from './browser-tokens.ts';
import type { CallOperationsDependencies } from './call-operations-dependencies.ts';

/** Maximum unused tokens of an organization. */
const maxOpenTokens = 50;

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
  const { storage, control } = deps;
  const common = requireWebCallUrl(deps.webCallUrl);
  if (call.status !== 'in-progress') throw notActive(call.id);
  const url = (await control.webCallUrlOf(call)) ?? common;
  const { token, fields } = issueToken('supervision', deps);
  const { created_at: now, expires_at } = fields;
  await storage.across.supervisionGrants.purge({ where: { expires_at: { lt: now } } }, purgeBatch);
  await storage.transaction(async (tx) => {
    // Concurrent requests cannot pass the limit together.
    await tx.organizations.lock(orgId, orgId);
    const open = await tx.supervisionGrants.count(orgId, { where: { expires_at: { gte: now } } });
    requireFreeTokens(open, maxOpenTokens, 'supervisors');
    await tx.supervisionGrants.insert(orgId, { ...fields, call_id: call.id, mode });
  });
  return { success: true, call_id: call.id, token, url, expires_at };
}
