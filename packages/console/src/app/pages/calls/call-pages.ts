import { signal } from '@preact/signals';
import type { Call, CallQuery, Client } from '@va/client';

const pageSize = 50;
/** Maximum number of cached pages. Evicted pages are loaded again when they become visible. */
const maxKept = 40;

/** The columns of the list. Transcripts and costs are not kept. */
export type CallRow = Pick<
  Call,
  'id' | 'created_at' | 'direction' | 'phone_number' | 'caller_phone' | 'agent_name' | 'status' | 'end_reason'
> & { readonly durationSeconds: number | null; readonly latencyMs: number | null };

/** The calls that match a filter, loaded page by page as they become visible. */
export class CallPages {
  readonly total = signal<number | null>(null);
  readonly error = signal<unknown>(null);
  /** Counts loaded pages, to trigger a render. */
  readonly loads = signal(0);
  /** Scroll position to restore when the user returns from a call. */
  scrollTop = 0;
  selected: number | null = null;

  readonly #client: Client;
  readonly #query: CallQuery;
  readonly #pages = new Map<number, readonly CallRow[]>();
  readonly #loading = new Map<number, AbortController>();
  /** Excludes later calls, which would shift the pages. */
  #endDate: string | undefined;

  constructor(client: Client, query: CallQuery) {
    this.#client = client;
    this.#query = query;
  }

  /** Returns the call at an index; null until it is loaded. */
  row(index: number): CallRow | null {
    return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize] ?? null;
  }

  /** Loads the pages of these rows, and aborts requests for pages outside the view. */
  show(first: number, end: number): void {
    const from = Math.floor(first / pageSize);
    const to = Math.floor(Math.max(first, end - 1) / pageSize);
    for (const [page, controller] of this.#loading) {
      if (page < from || page > to) controller.abort();
    }
    if (this.error.value !== null) return;
    for (let page = from; page <= to; page += 1) {
      if (!this.#pages.has(page) && !this.#loading.has(page)) void this.#load(page);
    }
  }

  retry(): void {
    this.error.value = null;
    this.loads.value += 1;
  }

  async #load(page: number): Promise<void> {
    const controller = new AbortController();
    const { signal: aborted } = controller;
    this.#loading.set(page, controller);
    const end = this.#endDate === undefined ? {} : { end_date: this.#endDate };
    const query = { ...this.#query, ...end, limit: pageSize, offset: page * pageSize };
    try {
      const { calls, pagination } = await this.#client.calls.list(query, { signal: aborted });
      if (aborted.aborted) return;
      this.#pages.set(page, calls.map(toRow));
      this.#forget(page);
      this.total.value ??= pagination.total;
      const newest = calls[0];
      if (page === 0 && newest !== undefined) this.#endDate ??= justAfter(newest.created_at);
    } catch (thrown) {
      if (!aborted.aborted) this.error.value = thrown;
    } finally {
      this.#loading.delete(page);
      this.loads.value += 1;
    }
  }

  /** Evicts the page farthest from the one just loaded. */
  #forget(near: number): void {
    if (this.#pages.size <= maxKept) return;
    const [farthest] = [...this.#pages.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near));
    if (farthest !== undefined) this.#pages.delete(farthest);
  }
}

function justAfter(instant: string): string {
  return new Date(Date.parse(instant) + 1).toISOString();
}

function toRow(call: Call): CallRow {
  const { id, created_at, direction, phone_number, caller_phone, agent_name, status, end_reason } = call;
  return {
    ...{ id, created_at, direction, phone_number, caller_phone, agent_name, status, end_reason },
    durationSeconds: call.duration_seconds,
    latencyMs: call.latency?.total_ms?.p50 ?? null,
  };
}
