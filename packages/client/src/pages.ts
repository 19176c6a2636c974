import { isObject } from './request/errors.ts';
import type { ApiRequest, Transport } from './request/transport.ts';

export interface PagingOptions {
  /** Records per request; the service's default if absent. */
  readonly pageSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Time limit of each page; overrides the client's option. */
  readonly timeoutMs?: number | undefined;
}

/** Lists without a total return at most this many records without paging. */
const wholeListSize = 1_000;

/**
 * Yields all records of a list, page by page. Pages are cut by position: a record added meanwhile shifts the others,
 * and repeated ones are skipped by id; a record deleted meanwhile may cause others to be missed.
 * @param key the key of the response body that holds the records
 */
export async function* allPages(
  transport: Transport,
  request: ApiRequest,
  key: string,
  options: PagingOptions = {},
): AsyncGenerator<unknown, void, void> {
  const { pageSize, ...requestOptions } = options;
  const given = new Set<unknown>();
  let offset = 0;
  for (;;) {
    const query = { ...request.query, limit: pageSize, offset: offset === 0 ? undefined : offset };
    const page = toPage(await transport.json({ ...request, query }, requestOptions), key);
    for (const record of page.records) {
      const id = isObject(record) ? record.id : record;
      if (!given.has(id)) yield record;
      given.add(id);
    }
    offset += page.records.length;
    const isLast = page.total === null ? page.records.length < (pageSize ?? wholeListSize) : offset >= page.total;
    if (isLast || page.records.length === 0) return;
  }
}

function toPage(answer: unknown, key: string): { records: readonly unknown[]; total: number | null } {
  const { [key]: records, pagination }: Readonly<Record<string, unknown>> = isObject(answer) ? answer : {};
  const total = isObject(pagination) && typeof pagination.total === 'number' ? pagination.total : null;
  return { records: Array.isArray(records) ? records : [], total };
}
