import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { CallEvent, WatchOptions } from '../../src/index.ts';
import { clientOf, thrownBy } from '../support/client-of.ts';
import { json, type Received, startServer } from '../support/scripted-server.ts';

type Step = (response: ServerResponse, request: Received) => void;

const event = (id: number, status = 'in-progress'): string =>
  `id: ${id}\nevent: status\ndata: ${JSON.stringify({ type: 'status', call_id: 'c', at: 't', status })}\n\n`;

/** Sends chunks in order and then ends the stream. */
const streams =
  (...chunks: readonly (string | Buffer)[]): Step =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunks) response.write(chunk);
    response.end();
  };
/** Sends chunks and leaves the stream open. */
const holds =
  (...chunks: readonly string[]): Step =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunks.join('') || ': open\n\n');
  };

interface Watched {
  readonly ids: string[];
  readonly error: unknown;
  readonly received: readonly Received[];
}

/** Reads the events of all calls until the stream fails. */
async function watch(steps: readonly Step[], options: WatchOptions = {}): Promise<Watched> {
  const { baseUrl, received } = await startServer(...steps);
  const ids: string[] = [];
  const read = async (): Promise<void> => {
    for await (const { id } of clientOf(baseUrl).calls.watch(options)) ids.push(id);
  };
  return { ids, error: await thrownBy(read()), received };
}
const resumedAfter = (received: readonly Received[]): unknown[] =>
  received.map(({ headers }) => headers['last-event-id']);
const refused = json(401, { code: 'unauthorized' });

describe('the stream of all calls', () => {
  it('resumes after the last event and yields repeated events once', async () => {
    const { ids, error, received } = await watch([streams(event(1), event(2)), streams(event(2), event(3)), refused]);
    expect(ids).toEqual(['1', '2', '3']);
    expect(resumedAfter(received)).toEqual([undefined, '2', '3']);
    expect(error).toMatchObject({ code: 'unauthorized' });
  });

  it('starts after the given event', async () => {
    const { received } = await watch([refused], { lastEventId: '41' });
    expect(resumedAfter(received)).toEqual(['41']);
  });

  it('reads events that are split anywhere, also within a character', async () => {
    const text = Buffer.from(event(1, 'fähig').replaceAll('\n', '\r\n'));
    const at = text.indexOf(0xc3) + 1;
    const { ids } = await watch([streams(text.subarray(0, at), text.subarray(at)), refused]);
    expect(ids).toEqual(['1']);
  });

  it('ignores comments, unknown fields and an event that is cut off', async () => {
    const { ids } = await watch([
      streams(': ping\n\n', 'retry: 5\nodd: x\n\n', event(1), 'id: 2\ndata: {"call'),
      refused,
    ]);
    expect(ids).toEqual(['1']);
  });

  it.each(['not json', '[]', 'null', '{"call_id":"c"}', '{"call_id":7,"at":"t"}'])(
    'fails for the data %j',
    async (data) => {
      const { error, received } = await watch([streams(`event: status\ndata: ${data}\n\n`)]);
      expect(error).toMatchObject({ code: 'invalid_answer' });
      expect(received).toHaveLength(1);
    },
  );

  it('gives up after the maximum number of failed connections in a row', async () => {
    const down = json(503, { code: 'unavailable' });
    const { ids, error, received } = await watch([streams(event(1)), down], { maxReconnects: 3 });
    expect(ids).toEqual(['1']);
    expect(error).toMatchObject({ status: 503 });
    expect(received).toHaveLength(4);
  });

  it('reports each connection and each loss', async () => {
    const seen: boolean[] = [];
    const onConnection = (isConnected: boolean): number => seen.push(isConnected);
    await watch([streams(event(1)), streams(event(2)), refused], { onConnection });
    expect(seen).toEqual([true, false, true, false]);
  });

  it('reconnects after a connection without data', async () => {
    const { ids, received } = await watch([holds(event(1)), refused], { idleTimeoutMs: 30 });
    expect(ids).toEqual(['1']);
    expect(resumedAfter(received)).toEqual([undefined, '1']);
  });

  it('stops for an aborted signal while it is idle, and does not connect for one that is aborted already', async () => {
    const leaving = new AbortController();
    const onConnection = (): void => queueMicrotask(() => leaving.abort(new Error('left')));
    const first = await watch([holds()], { signal: leaving.signal, onConnection });
    expect(first.error).toMatchObject({ message: 'left' });
    const second = await watch([holds()], { signal: leaving.signal });
    expect([second.error, second.received]).toEqual([expect.objectContaining({ message: 'left' }), []]);
  });

  it('stops for a signal that aborts while it waits to reconnect', async () => {
    const leaving = new AbortController();
    const onConnection = (isConnected: boolean): void => {
      if (!isConnected) queueMicrotask(() => leaving.abort(new Error('left')));
    };
    const down = json(503, {}, { 'retry-after': '10' });
    const { error, received } = await watch([streams(event(1)), down], { signal: leaving.signal, onConnection });
    expect(error).toMatchObject({ message: 'left' });
    expect(received.length).toBeLessThanOrEqual(2);
  });
});

describe('the stream of one call', () => {
  async function read(...steps: readonly Step[]): Promise<{ events: CallEvent[]; received: readonly Received[] }> {
    const { baseUrl, received } = await startServer(...steps);
    const events: CallEvent[] = [];
    for await (const each of clientOf(baseUrl).calls.events('c')) events.push(each);
    return { events, received };
  }

  it.each(['ended', 'failed'])('ends with the status %s and closes the connection', async (status) => {
    let isClosed: Promise<unknown> = Promise.resolve();
    const { events } = await read((response, request) => {
      isClosed = new Promise((resolve) => response.once('close', resolve));
      holds(event(1), event(2, status), event(3))(response, request);
    });
    expect(events.map(({ id }) => id)).toEqual(['1', '2']);
    await isClosed;
  });

  it('reconnects when a stream with events ends early, and ends with a stream without events', async () => {
    const { events, received } = await read(streams(event(1)), streams(': nothing\n\n'));
    expect(events).toHaveLength(1);
    expect(resumedAfter(received)).toEqual([undefined, '1']);
  });

  it('passes unknown types and fields on', async () => {
    const data = JSON.stringify({ type: 'later', call_id: 'c', at: 't', extra: { a: 1 } });
    const { events } = await read(streams(`id: 1\ndata: ${data}\n\n`, event(2, 'ended')));
    expect(events[0]).toEqual({ id: '1', type: 'later', call_id: 'c', at: 't', data: { extra: { a: 1 } } });
  });
});
