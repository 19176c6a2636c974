import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, ConnectionError } from '../../src/request/errors.ts';
import { fieldsOf, type WatchOptions, watchMessages } from '../../src/request/event-source.ts';
import type { ApiRequest, Transport } from '../../src/request/transport.ts';
import { thrownBy } from '../support/client-of.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Step = () => Response;
const stream =
  (text: string): Step =>
  () =>
    new Response(text);
const event = (id: number): string => `id: ${id}\ndata: {"n":${id}}\n\n`;
const refuse =
  (status: number, retryAfterMs: number | null = null): Step =>
  () => {
    const facts = { status, code: `http_${status}`, message: 'No.', param: null, errors: [], requestId: null };
    throw new ApiError({ ...facts, retryAfterMs });
  };
const lose: Step = () => {
  throw new ConnectionError('connection', 'lost');
};

/** Watches a stream whose connections follow the steps; the last step repeats. */
function watch(steps: readonly Step[], options: WatchOptions = {}, ends = false) {
  const opened: { readonly headers: unknown; readonly retry: unknown }[] = [];
  const transport = {
    retry: { limit: 2, backoffMs: 100, maxRetryAfterMs: 60_000 },
    open: async ({ headers }: ApiRequest, _options: unknown, retry: unknown) => {
      opened.push({ headers, retry });
      const step = steps[Math.min(opened.length, steps.length) - 1];
      if (step === undefined) throw new Error('There is no step.');
      return step();
    },
  } as unknown as Transport;
  const ids: (string | undefined)[] = [];
  const reading = (async () => {
    for await (const { id } of watchMessages(transport, { method: 'GET', path: 'events' }, options, ends)) ids.push(id);
  })();
  const failed = thrownBy(reading.then(() => Promise.reject('ended')));
  return { opened, ids, failed };
}

describe('watchMessages', () => {
  it('waits twice as long before each further attempt, up to 10 s', async () => {
    const { opened, failed } = watch([stream(event(1)), lose]);
    await vi.advanceTimersByTimeAsync(0);
    for (const waitMs of [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000]) {
      const before = opened.length;
      await vi.advanceTimersByTimeAsync(waitMs - 1);
      expect(opened).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(opened).toHaveLength(before + 1);
    }
    expect(await failed).toMatchObject({ code: 'connection' });
  });

  it('waits as long as the service asks, up to 10 s', async () => {
    const { opened } = watch([stream(event(1)), refuse(429, 5_000), refuse(503, 60_000), lose]);
    await vi.advanceTimersByTimeAsync(100);
    expect(opened).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(opened).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(opened).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(opened).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(opened).toHaveLength(4);
  });

  it('restarts the count of failures after each event', async () => {
    const steps = [stream(event(1)), lose, lose, stream(event(2)), lose];
    const { ids, opened, failed } = watch(steps, { maxReconnects: 3 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await failed).toMatchObject({ code: 'connection' });
    expect([ids, opened.length]).toEqual([['1', '2'], 7]);
  });

  it('lets the transport retry the first connection only', async () => {
    const { opened, failed } = watch([stream(event(1)), refuse(401)]);
    await vi.advanceTimersByTimeAsync(1_000);
    await failed;
    expect(opened.map(({ retry }) => retry)).toEqual([{}, { limit: 0 }]);
  });

  it('resumes after the last id, also if later events have none', async () => {
    const { opened, failed } = watch([stream(`${event(7)}data: {}\n\n`), refuse(401)]);
    await vi.advanceTimersByTimeAsync(1_000);
    await failed;
    expect(opened.map(({ headers }) => headers)).toEqual([
      { accept: 'text/event-stream' },
      { accept: 'text/event-stream', 'last-event-id': '7' },
    ]);
  });

  it.each([
    ['at first', [lose]],
    ['at first by the service', [refuse(503)]],
    ['later by a refusal that lasts', [stream(event(1)), refuse(403)]],
  ])('throws the error of a connection that fails %s', async (_, steps) => {
    const { failed, opened } = watch(steps);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await failed).toBeInstanceOf(Error);
    expect(opened).toHaveLength(steps.length);
  });

  it('ends at a connection without events where that marks the end', async () => {
    const { failed, ids } = watch([stream(event(1)), stream(': nothing\n\n')], {}, true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([await failed, ids]).toEqual(['ended', ['1']]);
  });

  it('rejects when it is aborted while it waits, and keeps no timer', async () => {
    const leaving = new AbortController();
    const { failed } = watch([stream(event(1)), refuse(503, 10_000)], { signal: leaving.signal });
    await vi.advanceTimersByTimeAsync(5_000);
    leaving.abort(new Error('left'));
    expect(await failed).toMatchObject({ message: 'left' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('fieldsOf', () => {
  const message = (data: string) => ({ id: '1', event: 'state', data });

  it('reads an object', () => {
    expect(fieldsOf(message('{"a":1}'))).toEqual({ a: 1 });
  });

  it.each(['', '{', '[]', 'null', '"text"', '7'])('refuses %j', (data) => {
    expect(() => fieldsOf(message(data))).toThrow(expect.objectContaining({ code: 'invalid_answer' }));
  });
});
