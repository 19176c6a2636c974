import { systemClock } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { createHandler } from '../../src/create-handler.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { eventStream, type ServerSentEvent } from '../../src/engine/response/event-stream.ts';
import { createTestHost } from '../support/host.ts';
import { createProbeHost } from '../support/probe-host.ts';
import { Probe, probeRoutes } from '../support/probe-routes.ts';

const clock = new VirtualClock();

async function textOf(...events: readonly ServerSentEvent[]): Promise<string> {
  async function* all() {
    yield* events;
  }
  const { body } = eventStream(all(), { clock });
  return await new Response(body instanceof ReadableStream ? body : null).text();
}

describe('a stream of events', () => {
  it('writes each event with its id, name and lines', async () => {
    const text = await textOf({ data: 'a' }, { id: '7', event: 'turn', data: 'a\nb\r\nc\rd' }, { data: '' });
    expect(text).toBe('data: a\n\nid: 7\nevent: turn\ndata: a\ndata: b\ndata: c\ndata: d\n\ndata: \n\n');
  });

  it('removes line breaks of ids and names, which would start another field', async () => {
    expect(await textOf({ id: '1\ndata: x', event: 'a\r\nb\0', data: 'y' })).toBe(
      'id: 1data: x\nevent: ab\ndata: y\n\n',
    );
  });

  it('sends a comment while it is idle, and loses no event', async () => {
    let send = (_event: ServerSentEvent): void => {};
    async function* later() {
      yield await new Promise<ServerSentEvent>((resolve) => {
        send = resolve;
      });
    }
    const { body } = eventStream(later(), { clock, keepAliveMs: 15_000 });
    if (!(body instanceof ReadableStream)) throw new Error('There is a stream.');
    const reader = body.getReader();
    const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    for (let n = 0; n < 2; n += 1) {
      const alive = read();
      await clock.advance(15_000);
      expect(await alive).toBe(': keep-alive\n\n');
    }
    const event = read();
    send({ data: 'late' });
    expect(await event).toBe('data: late\n\n');
    expect((await reader.read()).done).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('writes up to a hundred events that arrive together in one chunk, and then the next ones', async () => {
    let fail = (_error: Error): void => {};
    async function* many() {
      for (let n = 0; n < 150; n += 1) yield { data: String(n) };
      await new Promise((_, reject) => {
        fail = reject;
      });
    }
    const { body } = eventStream(many(), { clock: systemClock });
    if (!(body instanceof ReadableStream)) throw new Error('There is a stream.');
    const reader = body.getReader();
    const read = async (): Promise<string[]> =>
      new TextDecoder()
        .decode((await reader.read()).value)
        .trim()
        .split('\n\n');
    const [first, second] = [await read(), await read()];
    expect(first).toHaveLength(100);
    expect([...first, ...second]).toEqual(Array.from({ length: 150 }, (_, n) => `data: ${n}`));
    const failing = reader.read();
    fail(new Error('The source is broken.'));
    await expect(failing).rejects.toThrow('The source is broken.');
  });

  it('shares no headers with an earlier response', async () => {
    const handler = createEngine(createProbeHost().host, probeRoutes(new Probe()), { cors: { origins: () => true } });
    const ask = async (headers: Record<string, string>): Promise<Headers> => {
      const response = await handler.fetch(new Request('http://x/api/v1/events', { headers }));
      await response.body?.cancel();
      return response.headers;
    };
    await ask({ origin: 'https://a.example', 'x-request-id': 'first' });
    expect([...(await ask({})).keys()]).not.toContain('access-control-allow-origin');
  });

  it('reports the disconnection of its reader to its source', async () => {
    let returned = false;
    async function* endless() {
      try {
        for (;;) yield { data: 'x' };
      } finally {
        returned = true;
      }
    }
    const { body } = eventStream(endless(), { clock });
    if (!(body instanceof ReadableStream)) throw new Error('There is a stream.');
    const reader = body.getReader();
    await reader.read();
    await reader.cancel();
    expect(returned).toBe(true);
  });
});

describe('the events of a call in progress', () => {
  async function watch() {
    const { host, key, addCall } = await createTestHost();
    const { id } = await addCall({ status: 'in-progress', ended_at: null });
    const events = vi.spyOn(host.operations.calls, 'events');
    const handler = createHandler(host);
    const headers = { authorization: `Bearer ${key}` };
    const { body } = await handler.fetch(new Request(`http://x/api/v1/calls/${id}/events`, { headers }));
    if (body === null) throw new Error('There is a stream.');
    const signal = events.mock.calls[0]?.[2].signal;
    return { handler, reader: body.getReader(), isAborted: () => signal?.aborted };
  }

  it('are no longer read when the reader disconnects, even if the server aborts no request', async () => {
    const { reader, isAborted } = await watch();
    const reading = reader.read();
    expect(isAborted()).toBe(false);
    await reader.cancel();
    expect((await reading).done).toBe(true);
    expect(isAborted()).toBe(true);
  });

  it('are no longer read when the handler is closed', async () => {
    const { handler, reader, isAborted } = await watch();
    const reading = reader.read();
    await handler.close();
    expect((await reading).done).toBe(true);
    expect(isAborted()).toBe(true);
  });
});
