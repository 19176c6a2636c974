import type { Call } from '../domain/calls/call.ts';
import { toError } from '../errors.ts';
import type { Logger } from '../ports/logger.ts';
import type { Cursor, Where } from '../ports/storage/collection.ts';
import { type ErasureDependencies, eraseCall, eraseContent } from './erase-call.ts';

const dayMs = 24 * 3_600_000;
/** Minimum time since the end of a call, within which work such as its analysis finishes. */
const graceMs = 3_600_000;
const batchSize = 200;
const maxOrganizations = 100_000;

type ApplyRetentionDependencies = ErasureDependencies & { readonly logger: Logger };
type EraseOne = (deps: ErasureDependencies, orgId: string, callId: string) => Promise<unknown>;

/**
 * Erases calls and contents older than the retention periods of organizations, call by call: first whole calls, then
 * the content of the remaining ones. A failure is logged and retried in the next run.
 */
export async function applyRetention(deps: ApplyRetentionDependencies): Promise<void> {
  const { across } = deps.storage;
  const limited = {
    anyOf: [{ metadata_retention_days: { gte: 0 } }, { content_retention_days: { gte: 0 } }],
  };
  for (const { orgId, record } of await across.organizations.find(limited, maxOrganizations)) {
    const { metadata_retention_days: metadataDays, content_retention_days: contentDays } = record;
    if (metadataDays !== null) await eraseOlder(deps, orgId, metadataDays, {}, eraseCall);
    if (contentDays !== null) await eraseOlder(deps, orgId, contentDays, { erased_at: null }, eraseContent);
  }
}

async function eraseOlder(
  deps: ApplyRetentionDependencies,
  orgId: string,
  days: number,
  more: Where<Call>,
  eraseOne: EraseOne,
): Promise<void> {
  const { storage, clock, logger } = deps;
  const before = new Date(clock.wallMs() - days * dayMs - graceMs).toISOString();
  const where = { status: { in: ['ended', 'failed'] as const }, ended_at: { lt: before }, ...more };
  // Calls end after they are created, so no later record can match.
  const made = { created_at: { lt: before } };
  let after: Cursor | undefined;
  for (;;) {
    const place = after === undefined ? {} : { after };
    const query = { where: { ...where, ...made }, order: 'oldest' as const, limit: batchSize, ...place };
    const calls = await storage.calls.list(orgId, query);
    for (const { id } of calls) {
      try {
        await eraseOne(deps, orgId, id);
      } catch (thrown) {
        logger.error({ err: toError(thrown), orgId, callId: id }, 'failed to erase a call');
      }
    }
    const last = calls.at(-1);
    if (last === undefined || calls.length < batchSize) return;
    after = { created_at: last.created_at, id: last.id };
  }
}
