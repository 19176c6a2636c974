import { isObject } from './request/errors.ts';
import type { ApiRequest, Transport } from './request/transport.ts';

export interface PagingOptions {
  /** Records in one request; what the service gives by default. */
  readonly pageSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Of each page; as in the options of the client, in its place. */
  readonly timeoutMs?: number | undefined;
}

/** Lists that tell no total give everything up to this; beyond, they have to be asked for a page. */
const wholeListSize = 1_000;

/**
 * Every record of a list, page after page. Pages are cut by position: a record that is added to the front meanwhile
 * moves the others, and what comes a second time for that is left out, by its id. One that is deleted meanwhile moves
 * the others too, so that some may be missed.
 * @param key the key of the answer that the records are under
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
