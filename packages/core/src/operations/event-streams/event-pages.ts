import type { CallEvent } from '../../domain/calls/call-event.ts';
import type { Storage } from '../../ports/storage/storage.ts';

const pageSize = 500;

/** Maximum delay with which an event may be stored after one with a later time: the clocks of nodes differ. */
export const lateMs = 15_000;

const lowestId = '00000000-0000-0000-0000-000000000000';

/** Yields pages of the organization's stored events that were created at or after `fromMs`, oldest first. */
export async function* eventPages(
  storage: Pick<Storage, 'callEvents'>,
  orgId: string,
  fromMs: number,
  signal: AbortSignal,
): AsyncGenerator<readonly CallEvent[], void, void> {
  let after = { created_at: new Date(fromMs - 1).toISOString(), id: lowestId };
  while (!signal.aborted) {
    const page = await storage.callEvents.list(orgId, { after, order: 'oldest', limit: pageSize });
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = { created_at: last.created_at, id: last.id };
  }
}
