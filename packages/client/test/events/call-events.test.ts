import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { CallEvent } from '../../src/index.ts';
import { clientOf, thrownBy } from '../support/client-of.ts';
import { json, type Received, startServer } from '../support/scripted-server.ts';

type Step = (response: ServerResponse) => void;
type End = 'end' | 'break' | 'hold';

function event(id: number, type: string, fields: object): string {
  const data = JSON.stringify({ type, call_id: 'c1', at: '2026-01-01T00:00:00.000Z', ...fields });
  return `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`;
}

const said = (id: number, content: string): string => event(id, 'transcript', { role: 'user', content });
const ended = (id: number): string => event(id, 'status', { status: 'ended' });

/** A response of these chunks, each of them written separately. */
function stream(chunks: readonly (string | Uint8Array)[], end: End): Step {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    for (const chunk of chunks) await new Promise<void>((resolve) => void response.write(chunk, () => resolve()));
    if (end === 'end') response.end();
    // Written data has to arrive before the connection breaks.
    if (end === 'break') setTimeout(() => response.destroy(), 50);
  };
}

const resumedFrom = (received: readonly Received[]): unknown[] =>
  received.map(({ headers }) => headers['last-event-id']);

async function collect(events: AsyncIterable<CallEvent>): Promise<string[]> {
  const read: string[] = [];
  for await (const event of events) {
    const text = event.type === 'transcript' ? event.data.content : event.type === 'status' ? event.data.status : '';
    read.push(`${event.id} ${event.type} ${text}`);
  }
  return read;
}

describe('calls.events', () => {
  it('yields the events of a call up to the one that ends it', async () => {
    const { baseUrl, received } = await startServer(
      stream([': keep-alive\n\n', event(1, 'status', { status: 'in-progress' }), said(2, 'Hello'), ended(3)], 'hold'),
    );
    const events: CallEvent[] = [];
    for await (const one of clientOf(baseUrl).calls.events('c1')) events.push(one);
    expect(events[1]).toEqual({
      id: '2',
      type: 'transcript',
      call_id: 'c1',
      at: '2026-01-01T00:00:00.000Z',
      data: { role: 'user', content: 'Hello' },
    });
    expect(events).toHaveLength(3);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      url: '/voice/api/v1/calls/c1/events',
      headers: { accept: 'text/event-stream' },
    });
  });

  it('reads events that arrive in pieces, which may divide a character', async () => {
    const bytes = new TextEncoder().encode(said(1, 'Één ☎️') + ended(2));
    const pieces = Array.from({ length: Math.ceil(bytes.length / 5) }, (_, n) => bytes.slice(n * 5, n * 5 + 5));
    const { baseUrl } = await startServer(stream(pieces, 'end'));
    expect(await collect(clientOf(baseUrl).calls.events('c1'))).toEqual(['1 transcript Één ☎️', '2 status ended']);
  });

  it('resumes after the last event when the connection breaks or ends early', async () => {
    const { baseUrl, received } = await startServer(
      stream([said(4, 'a'), said(5, 'b')], 'break'),
      stream([said(6, 'c')], 'end'),
      (response) => response.destroy(),
      json(503, { code: 'unavailable' }),
      stream([ended(7)], 'end'),
    );
    const events = clientOf(baseUrl).calls.events('c1', { lastEventId: '3' });
    const read = ['4 transcript a', '5 transcript b', '6 transcript c', '7 status ended'];
    expect(await collect(events)).toEqual(read);
    expect(resumedFrom(received)).toEqual(['3', '5', '6', '6', '6']);
  });

  it('reports each connection, and each time it breaks or cannot be opened', async () => {
    const { baseUrl } = await startServer(
      stream([said(1, 'a')], 'break'),
      json(503, { code: 'unavailable' }),
      stream([ended(2)], 'end'),
    );
    const read: boolean[] = [];
    await collect(clientOf(baseUrl).calls.events('c1', { onConnection: (isConnected) => read.push(isConnected) }));
    expect(read).toEqual([true, false, false, true]);
  });

  it('reconnects when nothing arrives for idleTimeoutMs', async () => {
    const { baseUrl, received } = await startServer(stream([said(1, 'a')], 'hold'), stream([ended(2)], 'end'));
    const events = clientOf(baseUrl).calls.events('c1', { idleTimeoutMs: 100 });
    expect(await collect(events)).toEqual(['1 transcript a', '2 status ended']);
    expect(resumedFrom(received)).toEqual([undefined, '1']);
  });

  it('ends without an event when none follows lastEventId', async () => {
    const { baseUrl, received } = await startServer(stream([], 'end'));
    expect(await collect(clientOf(baseUrl).calls.events('c1', { lastEventId: '9' }))).toEqual([]);
    expect(received).toHaveLength(1);
  });

  it('throws after maxReconnects connections without an event', async () => {
    const { baseUrl, received } = await startServer(stream([said(1, 'a')], 'break'), stream([], 'break'));
    const events = clientOf(baseUrl).calls.events('c1', { maxReconnects: 3 });
    expect(await thrownBy(collect(events))).toMatchObject({ name: 'ConnectionError', code: 'connection' });
    expect(received).toHaveLength(4);
  });

  it('throws the error of a refused request at once, on the first connection and on a later one', async () => {
    const missing = await startServer(json(404, { code: 'call_not_found' }));
    expect(await thrownBy(collect(clientOf(missing.baseUrl).calls.events('c1')))).toMatchObject({
      code: 'call_not_found',
    });
    expect(missing.received).toHaveLength(1);

    const revoked = await startServer(stream([said(1, 'a')], 'break'), json(401, { code: 'api_key_revoked' }));
    expect(await thrownBy(collect(clientOf(revoked.baseUrl).calls.events('c1')))).toMatchObject({
      code: 'api_key_revoked',
    });
    expect(revoked.received).toHaveLength(2);
  });

  it('closes the connection when the loop ends', async () => {
    let hasClosed = (): void => {};
    const closed = new Promise<void>((resolve) => {
      hasClosed = resolve;
    });
    const { baseUrl } = await startServer((response) => {
      response.on('close', hasClosed);
      void stream([said(1, 'a'), said(2, 'b')], 'hold')(response);
    });
    for await (const { id } of clientOf(baseUrl).calls.events('c1')) {
      expect(id).toBe('1');
      break;
    }
    await closed;
  });

  it('throws the reason of its signal, while it reads and between connections', async () => {
    const reason = new Error('The user left.');
    for (const [end, backoffMs] of [['hold', 1] as const, ['break', 60_000] as const]) {
      const { baseUrl } = await startServer(stream([said(1, 'a')], end));
      const abort = new AbortController();
      const client = clientOf(baseUrl, { retry: { backoffMs } });
      const reading = collect(client.calls.events('c1', { signal: abort.signal }));
      setTimeout(() => abort.abort(reason), 300);
      expect(await thrownBy(reading)).toBe(reason);
    }
  });

  it('throws invalid_answer for data that is no event', async () => {
    for (const data of ['{', '[]', 'null', '{"type":"status"}', '{"type":"status","call_id":1,"at":"now"}']) {
      const { baseUrl, received } = await startServer(stream([`id: 1\ndata: ${data}\n\n`], 'end'));
      expect(await thrownBy(collect(clientOf(baseUrl).calls.events('c1')))).toMatchObject({ code: 'invalid_answer' });
      expect(received).toHaveLength(1);
    }
  });
});
