import type { Call } from '../domain/call.ts';
import type { Pagination } from '../domain/pagination.ts';
import type { RecordingStore, StoredRecording } from '../ports/recordings.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { parseCallQuery } from './call-query.ts';
import { checkId, found } from './found.ts';

/** Every method throws a `RequestError` for what the caller did wrong: 400 for the query, 404 `call_not_found`. */
export interface CallOperations {
  /**
   * Newest first. Query: `limit` (1–1000, default 100), `offset`, `status` (a comma list), `start_date`, `end_date`
   * (on `created_at`, half-open; an end that is a day includes it), `agent_id`, `number_id`, `campaign_id`,
   * `direction`, `phone` (either party's), `end_reason`.
   */
  list(orgId: string, query?: unknown): Promise<{ calls: Call[]; pagination: Pagination }>;
  get(orgId: string, id: string): Promise<Call>;
  /** 404 `recording_not_found` where the call has none. */
  recording(orgId: string, id: string): Promise<StoredRecording>;
}

export function createCallOperations(deps: {
  readonly storage: Storage;
  readonly recordings: RecordingStore;
}): CallOperations {
  const { storage, recordings } = deps;

  async function get(orgId: string, id: string): Promise<Call> {
    checkId('call', id);
    return found(await storage.calls.get(orgId, id), 'call', id);
  }

  return {
    get,

    async list(orgId, query = {}) {
      const { filter, page } = parseCallQuery(query);
      const [total, calls] = await Promise.all([
        storage.calls.count(orgId, filter),
        storage.calls.list(orgId, { ...filter, ...page }),
      ]);
      return { calls, pagination: { total, ...page } };
    },

    async recording(orgId, id) {
      const call = await get(orgId, id);
      return found(await recordings.open(orgId, call.id), 'recording', id);
    },
  };
}
