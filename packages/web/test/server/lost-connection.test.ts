import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type { LegEnd } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { PageCall } from '../../src/server/page-call.ts';
import { PageConnection } from '../../src/server/page-connection.ts';

/** The side of a WebSocket, and of the stream below it, that the service sees. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  /** Types of the messages, of audio `audio`. */
  readonly sent: string[] = [];
  readyState = 1;
  bufferedAmount = 0;

  write(message: Buffer): void {
    const isText = message[0] === 0x81;
    const content = message.subarray((message[1] ?? 0) < 126 ? 2 : 4);
    this.sent.push(isText ? JSON.parse(content.toString()).type : 'audio');
  }

  close(code: number): void {
    this.readyState = 3;
    this.emit('close', code);
  }

  terminate(): void {
    this.close(1006);
  }
}

function connection(clock: VirtualClock): { socket: FakeSocket; connection: PageConnection } {
  const socket = new FakeSocket();
  return { socket, connection: new PageConnection(socket as unknown as WebSocket, socket as unknown as Duplex, clock) };
}

function begun() {
  const clock = new VirtualClock();
  const page = connection(clock);
  const ends: LegEnd[] = [];
  let released = 0;
  const call = new PageCall({
    grant: { callId: '00000000-0000-7000-8000-000000000001', origin: null },
    clock,
    connection: page.connection,
    encoding: 'pcmu',
    resumeSecret: 'secret',
    resumeUrl: null,
    release: () => {
      released += 1;
    },
  });
  call.onEnd((end) => ends.push(end));
  return { ...page, clock, call, ends, released: () => released };
}

it('web call › ends 10 s after its connection was lost', async () => {
  const { clock, call, socket, ends, released } = begun();
  const leg = await call.answer();
  socket.terminate();
  expect(leg.sending).toBe(false);
  await clock.advance(9_900);
  expect(ends).toEqual([]);
  await clock.advance(200);
  expect(ends).toMatchObject([{ cause: 'transport-error' }]);
  expect(released()).toBe(1);
  expect(clock.pending).toBe(0);
});

it('web call › takes a connection that is silent for 4 s as lost', async () => {
  const { clock, call, socket, ends } = begun();
  await call.answer();
  await clock.advance(3_900);
  expect(socket.readyState).toBe(1);
  await clock.advance(200);
  expect(socket.readyState).toBe(3);
  const again = connection(clock);
  call.resume(again.connection, 0);
  await clock.advance(3_000);
  expect(ends).toEqual([]);
});

it('web call › keeps messages for the page while it has no connection', async () => {
  const { clock, call, socket } = begun();
  await call.answer();
  const display = call.openDisplay({ text: () => {} });
  socket.terminate();
  display.show({ type: 'agent-text', text: 'Hello.' });
  const again = connection(clock);
  call.resume(again.connection, 0);
  expect(again.socket.sent).toEqual(['ready', 'answered', 'agent-text']);
});

it('web call › terminates a connection whose page reads too slowly', async () => {
  const { call, socket } = begun();
  const leg = await call.answer();
  socket.bufferedAmount = 50_000;
  leg.send(new Uint8Array(160).fill(1));
  expect(socket.readyState).toBe(3);
});

it('web call › ends as left when the page closes its connection', async () => {
  const { call, socket, ends } = begun();
  await call.answer();
  socket.close(1001);
  expect(ends).toEqual([{ cause: 'remote-hangup' }]);
});
