// @vitest-environment happy-dom
import type { Client } from '@va/client';
import { sampleCall } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { CallPages } from '../../../src/app/pages/calls/call-pages.ts';

type Query = Readonly<Record<string, unknown>>;
interface Request {
  readonly query: Query;
  readonly signal: AbortSignal;
  readonly respond: (total?: number) => void;
  readonly fail: (error: Error) => void;
}

/** A client whose list requests are answered by the test; call `n` has the id `n`. */
function scripted(): { requests: Request[]; pages: CallPages } {
  const requests: Request[] = [];
  const list = (query: Query, { signal }: { signal: AbortSignal }): Promise<unknown> =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      const offset = Number(query.offset);
      requests.push({
        ...{ query, signal },
        respond: (total = 10_000) => {
          const calls = Array.from({ length: Math.min(50, total - offset) }, (_, n) => ({
            ...sampleCall({ created_at: new Date(Date.UTC(2026, 0, 1) - (offset + n) * 1_000).toISOString() }),
            id: String(offset + n),
          }));
          resolve({ calls, pagination: { total, limit: 50, offset } });
        },
        fail: reject,
      });
    });
  const client = { calls: { list } } as unknown as Client;
  return { requests, pages: new CallPages(client, { agent_id: 'a' }) };
}

const loaded = async (pages: CallPages, loads: number): Promise<void> => {
  await vi.waitFor(() => expect(pages.loads.value).toBe(loads), { interval: 1 });
};
const offsets = (requests: readonly Request[]): unknown[] => requests.map(({ query }) => query.offset);

describe('the pages of the call list', () => {
  it('loads each page in view once', async () => {
    const { requests, pages } = scripted();
    pages.show(40, 110);
    pages.show(40, 110);
    expect(offsets(requests)).toEqual([0, 50, 100]);
    for (const request of requests) request.respond();
    await loaded(pages, 3);
    expect([pages.row(0)?.id, pages.row(149)?.id, pages.row(150)]).toEqual(['0', '149', null]);
    pages.show(40, 110);
    expect(requests).toHaveLength(3);
    expect(pages.total.value).toBe(10_000);
  });

  it('excludes calls newer than the first one from later pages, so that rows do not shift', async () => {
    const { requests, pages } = scripted();
    pages.show(0, 10);
    requests[0]?.respond();
    await loaded(pages, 1);
    pages.show(50, 60);
    expect(requests[1]?.query).toMatchObject({ agent_id: 'a', end_date: '2026-01-01T00:00:00.001Z', offset: 50 });
  });

  it('aborts requests for pages out of view and loads them when they are visible again', async () => {
    const { requests, pages } = scripted();
    pages.show(0, 10);
    pages.show(500, 510);
    expect(requests[0]?.signal.aborted).toBe(true);
    await loaded(pages, 1);
    expect(pages.error.value).toBeNull();
    pages.show(0, 10);
    expect(offsets(requests)).toEqual([0, 500, 0]);
  });

  it('stops loading after an error until it is retried', async () => {
    const { requests, pages } = scripted();
    const error = new Error('offline');
    pages.show(0, 10);
    requests[0]?.fail(error);
    await loaded(pages, 1);
    expect(pages.error.value).toBe(error);
    pages.show(0, 10);
    expect(requests).toHaveLength(1);
    pages.retry();
    pages.show(0, 10);
    expect(requests).toHaveLength(2);
  });

  it('keeps at most 40 pages and evicts the farthest one', async () => {
    const { requests, pages } = scripted();
    for (let page = 0; page <= 40; page += 1) {
      pages.show(page * 50, page * 50 + 1);
      requests.at(-1)?.respond();
      await loaded(pages, page + 1);
    }
    expect([pages.row(0), pages.row(50)?.id, pages.row(2_000)?.id]).toEqual([null, '50', '2000']);
  });

  it('shows an empty list', async () => {
    const { requests, pages } = scripted();
    pages.show(0, 0);
    requests[0]?.respond(0);
    await loaded(pages, 1);
    expect([pages.total.value, pages.row(0)]).toEqual([0, null]);
  });
});
