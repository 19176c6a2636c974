import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { awaitStart } from '../../../src/shared/stream/await-start.ts';
import { textOf } from '../../../src/shared/web/fields.ts';
import { FakeWebSocket } from '../../support/fake-web-socket.ts';

function setUp() {
  const clock = new VirtualClock();
  const socket = new FakeWebSocket();
  const starts: unknown[] = [];
  awaitStart(socket.asWebSocket, { clock, read: ({ start }) => textOf(start) }, (start) => starts.push(start));
  return { clock, socket, starts };
}

function receiveAll(socket: FakeWebSocket, messages: readonly (object | string)[]): void {
  for (const message of messages) socket.receive(message);
}

describe('the start of a stream', () => {
  it('is read once, and releases the timer and the listeners', () => {
    const { clock, socket, starts } = setUp();
    socket.receive({ event: 'connected' });
    socket.receive({ start: 's1' });
    socket.receive({ start: 's2' });
    socket.lose();
    expect([starts, clock.pending, socket.listenerCount('message'), socket.isTerminated]).toEqual([
      ['s1'],
      0,
      0,
      false,
    ]);
  });

  it.each<[string, (socket: FakeWebSocket) => void]>([
    ['without it in four messages', (socket) => receiveAll(socket, [{}, { n: 2 }, { n: 3 }, { n: 4 }])],
    ['of malformed messages', (socket) => receiveAll(socket, ['', '{', '[]', 'null'])],
    ['that is closed', (socket) => socket.lose()],
  ])('is null for a stream %s', (_, happen) => {
    const { socket, starts } = setUp();
    happen(socket);
    expect([starts, socket.isTerminated]).toEqual([[null], true]);
  });

  it('is not read from binary messages', () => {
    const { socket, starts } = setUp();
    for (let n = 0; n < 4; n++) socket.emit('message', Buffer.from('{"start":"s1"}'), true);
    expect(starts).toEqual([null]);
  });

  it('may be the fourth message', () => {
    const { socket, starts } = setUp();
    for (let n = 0; n < 3; n++) socket.receive({});
    socket.receive({ start: 's1' });
    expect(starts).toEqual(['s1']);
  });

  it('has to come within 10 s', async () => {
    const { clock, socket, starts } = setUp();
    await clock.advance(9_999);
    expect(starts).toEqual([]);
    await clock.advance(1);
    expect([starts, socket.isTerminated]).toEqual([[null], true]);
  });
});
