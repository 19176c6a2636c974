import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { writeResponse } from '../../src/node-server/write-response.ts';

/** Node's response, whose client is the test. */
class Outgoing extends EventEmitter {
  headersSent = false;
  destroyed = false;
  readonly written: string[] = [];
  /** False while the client reads nothing. */
  takes = true;
  readonly #set: Readonly<Record<string, string>>;

  constructor(set: Readonly<Record<string, string>> = {}) {
    super();
    this.#set = set;
  }

  get asResponse(): ServerResponse {
    return this as unknown as ServerResponse;
  }

  getHeader(name: string): string | undefined {
    return this.#set[name];
  }

  writeHead(status: number, headers: Readonly<Record<string, string>>): void {
    this.headersSent = true;
    this.written.push(`${status} ${JSON.stringify(headers)}`);
  }

  flushHeaders(): void {
    this.written.push('headers flushed');
  }

  write(chunk: Uint8Array): boolean {
    this.written.push(Buffer.from(chunk).toString());
    return this.takes;
  }

  flush(): void {
    this.written.push('flushed');
  }

  end(chunk?: string | Uint8Array): void {
    this.written.push(chunk === undefined ? 'end' : `end ${Buffer.from(chunk)}`);
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** A stream whose chunks the test sends. */
function source() {
  let send: (chunk: string) => void = () => {};
  let close = (): void => {};
  let fail = (_error: Error): void => {};
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (chunk) => controller.enqueue(Buffer.from(chunk));
      close = () => controller.close();
      fail = (error) => controller.error(error);
    },
    cancel() {
      isCancelled = true;
    },
  });
  return { body, send, close, fail, isCancelled: () => isCancelled };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('writeResponse', () => {
  it.each([
    ['a text', 'hello', 'end hello'],
    ['bytes', Buffer.from('hello'), 'end hello'],
    ['an empty text', '', 'end '],
    ['no body', null, 'end'],
  ])('writes %s at once', async (_name, body, end) => {
    const outgoing = new Outgoing();
    await writeResponse({ status: 201, headers: { 'x-a': '1' }, body }, outgoing.asResponse);
    expect(outgoing.written).toEqual(['201 {"x-a":"1"}', end]);
  });

  it('adds to the Vary header of the host', async () => {
    const outgoing = new Outgoing({ vary: 'Cookie, accept' });
    await writeResponse({ status: 200, headers: { vary: 'Accept, Origin' }, body: null }, outgoing.asResponse);
    expect(outgoing.written[0]).toBe('200 {"vary":"Cookie, accept, Origin"}');
  });

  it('leaves the Vary header of the host alone if the response has none', async () => {
    const outgoing = new Outgoing({ vary: 'Cookie' });
    await writeResponse({ status: 200, headers: {}, body: null }, outgoing.asResponse);
    expect(outgoing.written[0]).toBe('200 {}');
  });

  it.each(['destroyed', 'headersSent'] as const)(
    'writes nothing if the response is %s, and cancels its body',
    async (state) => {
      const outgoing = new Outgoing();
      outgoing[state] = true;
      const { body, isCancelled } = source();
      await writeResponse({ status: 200, headers: {}, body }, outgoing.asResponse);
      expect([outgoing.written, isCancelled()]).toEqual([[], true]);
    },
  );

  it('sends the headers of a stream before its first chunk', async () => {
    const outgoing = new Outgoing();
    const { body, close } = source();
    const writing = writeResponse({ status: 200, headers: {}, body }, outgoing.asResponse);
    await settled();
    expect(outgoing.written).toEqual(['200 {}', 'headers flushed']);
    close();
    await writing;
    expect(outgoing.written.at(-1)).toBe('end');
  });

  it('flushes each chunk through compression', async () => {
    const outgoing = new Outgoing();
    const { body, send, close } = source();
    send('a');
    send('b');
    close();
    await writeResponse({ status: 200, headers: {}, body }, outgoing.asResponse);
    expect(outgoing.written.slice(2)).toEqual(['a', 'flushed', 'b', 'flushed', 'end']);
  });

  it('waits for a client that does not read', async () => {
    const outgoing = new Outgoing();
    outgoing.takes = false;
    const { body, send, close } = source();
    send('a');
    send('b');
    close();
    const writing = writeResponse({ status: 200, headers: {}, body }, outgoing.asResponse);
    await settled();
    expect(outgoing.written.slice(2)).toEqual(['a', 'flushed']);
    outgoing.takes = true;
    outgoing.emit('drain');
    await writing;
    expect(outgoing.written.slice(2)).toEqual(['a', 'flushed', 'b', 'flushed', 'end']);
  });

  it('stops when the client disconnects while it does not read', async () => {
    const outgoing = new Outgoing();
    outgoing.takes = false;
    const { body, send, isCancelled } = source();
    send('a');
    send('b');
    const writing = writeResponse({ status: 200, headers: {}, body }, outgoing.asResponse);
    await settled();
    outgoing.destroy();
    await writing;
    expect(outgoing.written.slice(2)).toEqual(['a', 'flushed']);
    expect(isCancelled()).toBe(true);
  });

  it('cancels an idle stream when the client disconnects', async () => {
    const outgoing = new Outgoing();
    const { body, isCancelled } = source();
    const writing = writeResponse({ status: 200, headers: {}, body }, outgoing.asResponse);
    await settled();
    outgoing.destroy();
    await writing;
    expect([isCancelled(), outgoing.written.includes('end')]).toEqual([true, false]);
  });

  it('destroys the connection of a stream that fails, so that it does not look complete', async () => {
    const outgoing = new Outgoing();
    const { body, fail } = source();
    const writing = writeResponse({ status: 200, headers: {}, body }, outgoing.asResponse);
    await settled();
    fail(new Error('the disk'));
    await writing;
    expect([outgoing.destroyed, outgoing.written.includes('end')]).toEqual([true, false]);
  });

  it('leaves no listener behind', async () => {
    const outgoing = new Outgoing();
    const { body, send, close } = source();
    send('a');
    close();
    await writeResponse({ status: 200, headers: {}, body }, outgoing.asResponse);
    expect(outgoing.listenerCount('close') + outgoing.listenerCount('drain')).toBe(0);
  });
});
