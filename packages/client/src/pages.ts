import { isObject } from './request/errors.ts';
import type { ApiRequest, Transport } from './request/transport.ts';

/** Options of the `all` methods. */
export interface PagingOptions {
  /** Records per request, 1 to 1,000; by default the page size of the service. */
  readonly pageSize?: number | undefined;
  /** Stops the iteration, which rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of each page in ms; overrides that of the client. */
  readonly timeoutMs?: number | undefined;
}

/** Default page size of the service for lists whose responses have no total. */
const wholeListSize = 1_000;

/**
 * Yields all records of a list, page by page. Pages are offset-based: records that shift because of an insertion are
 * de-duplicated by id; a concurrent deletion may cause records to be skipped.
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
