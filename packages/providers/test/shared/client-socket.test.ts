import type { AddressInfo } from 'node:net';
import { VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { ClientSocket, type SocketLoss } from '../../src/shared/connection/client-socket.ts';
import { pass, until } from '../options.ts';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

async function connect({ autoPong }: { readonly autoPong: boolean }) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, autoPong });
  await new Promise((resolve) => server.once('listening', resolve));
  const clock = new VirtualClock();
  const losses: SocketLoss[] = [];
  let isOpen = false;
  const socket = new ClientSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, {}, clock, {
    onOpen: () => {
      isOpen = true;
    },
    onText: () => {},
    onLost: (loss) => losses.push(loss),
  });
  closers.push(
    () => server.close(),
    () => socket.close(),
  );
  await until(() => isOpen);
  return { server, clock, losses, socket };
}

describe('heartbeat of ClientSocket', () => {
  it('closes a connection whose server no longer answers', async () => {
    const { clock, losses } = await connect({ autoPong: false });
    await pass(clock, 15_000);
    expect(losses).toEqual([]);
    await pass(clock, 1_000);
    expect(losses).toEqual([{ fault: 'timeout', message: 'the server has not responded for 16000 ms' }]);
    expect(clock.pending).toBe(0);
  });

  it('keeps an idle connection whose server answers', async () => {
    const { clock, losses } = await connect({ autoPong: true });
    await pass(clock, 60_000);
    expect(losses).toEqual([]);
  });

  it('accepts any message as a sign of life', async () => {
    const { server, clock, losses } = await connect({ autoPong: false });
    for (let at = 0; at < 10; at++) {
      await pass(clock, 4_000);
      for (const client of server.clients) client.send('{}');
      await pass(clock, 1);
    }
    expect(losses).toEqual([]);
  });
});
