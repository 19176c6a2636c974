import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { discardIncoming } from '../../src/node-server/discard-incoming.ts';
import { WireBody } from '../../src/node-server/wire-body.ts';
import { thrownBy } from '../support/request.ts';

/** A request whose body the test sends with `push`; null ends it. */
function incoming(...chunks: readonly (string | null)[]): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  for (const chunk of chunks) message.push(chunk === null ? null : Buffer.from(chunk));
  return message;
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('WireBody.bytes', () => {
  it.each([
    ['no chunk', [null], ''],
    ['one chunk', ['abc', null], 'abc'],
    ['several chunks', ['a', 'b', 'c', null], 'abc'],
  ])('joins %s', async (_name, chunks, expected) => {
    expect(String(await new WireBody(incoming(...chunks)).bytes(3))).toBe(expected);
  });

  it('waits for the end', async () => {
    const message = incoming('a');
    const reading = new WireBody(message).bytes(9);
    await settled();
    message.push(Buffer.from('b'));
    message.push(null);
    expect(String(await reading)).toBe('ab');
  });

  it('refuses a body at its first byte beyond the limit, and pauses it', async () => {
    const message = incoming('abc', 'd');
    expect(await thrownBy(() => new WireBody(message).bytes(3))).toMatchObject({ status: 413 });
    expect([message.isPaused(), message.listenerCount('data')]).toEqual([true, 0]);
  });

  it.each([
    ['closes', (message: IncomingMessage) => void message.destroy()],
    ['fails', (message: IncomingMessage) => void message.destroy(new Error('reset'))],
  ])('reports a connection that %s before the end', async (_name, lose) => {
    const message = incoming('a');
    const reading = thrownBy(() => new WireBody(message).bytes(9));
    await settled();
    lose(message);
    expect(await reading).toMatchObject({ status: 400, message: expect.stringContaining('aborted') });
  });

  it('reports a connection that was closed before it is read', async () => {
    const message = incoming('a', null);
    message.destroy();
    expect(await thrownBy(() => new WireBody(message).bytes(9))).toMatchObject({ status: 400 });
  });
});

describe('WireBody.chunks', () => {
  it('yields the chunks in order', async () => {
    const read: string[] = [];
    for await (const chunk of new WireBody(incoming('a', 'b', null)).chunks()) read.push(String(chunk));
    expect(read.join('')).toBe('ab');
  });

  it('reads a chunk only when its reader asks for one', async () => {
    const message = incoming();
    const chunks = new WireBody(message).chunks();
    const first = chunks.next();
    await settled();
    message.push(Buffer.from('a'));
    expect(String((await first).value)).toBe('a');
    message.push(Buffer.from('b'));
    await settled();
    expect(message.isPaused()).toBe(true);
    expect(String((await chunks.next()).value)).toBe('b');
    message.push(null);
    expect(await chunks.next()).toEqual({ done: true, value: undefined });
  });

  it('throws after the chunks that came before the connection broke', async () => {
    const message = incoming('a');
    const read: string[] = [];
    const error = await thrownBy(async () => {
      for await (const chunk of new WireBody(message).chunks()) {
        read.push(String(chunk));
        message.destroy();
      }
    });
    expect([read, error]).toEqual([['a'], expect.objectContaining({ status: 400 })]);
  });

  it('drains what its reader leaves, so that the connection stays usable', async () => {
    const message = incoming('a', 'b');
    for await (const chunk of new WireBody(message).chunks()) {
      expect(chunk.byteLength).toBeGreaterThan(0);
      break;
    }
    expect(message.isPaused()).toBe(false);
    expect(message.destroyed).toBe(false);
    message.push(null);
    await new Promise((resolve) => message.once('end', resolve));
  });
});

describe('discardIncoming', () => {
  it('leaves a body alone that is complete', () => {
    const message = incoming('a');
    message.complete = true;
    discardIncoming(message);
    expect(message.listenerCount('data')).toBe(0);
  });

  it('counts a body once, however often it is discarded', () => {
    const message = incoming('a');
    discardIncoming(message);
    discardIncoming(message);
    expect(message.listenerCount('data')).toBe(1);
  });

  it('closes the connection after 16 MiB', async () => {
    const message = incoming();
    discardIncoming(message);
    const mebibyte = Buffer.alloc(1_048_576);
    for (let n = 0; n < 16; n += 1) message.push(mebibyte);
    await settled();
    expect(message.destroyed).toBe(false);
    message.push(Buffer.from('a'));
    await settled();
    expect(message.destroyed).toBe(true);
  });
});
