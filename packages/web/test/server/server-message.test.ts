import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VirtualClock } from '@va/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { PageConnection } from '../../src/server/page-connection.ts';

/** Opens a connection, and returns what its page receives. */
async function connected(): Promise<{ connection: PageConnection; received: (string | Buffer)[]; page: WebSocket }> {
  const http = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const opened = new Promise<PageConnection>((resolve) => {
    http.on('upgrade', (request, stream, head) => {
      sockets.handleUpgrade(request, stream, head, (socket) => {
        resolve(new PageConnection(socket, stream, new VirtualClock()));
      });
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const page = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  const received: (string | Buffer)[] = [];
  page.on('message', (data: Buffer, isBinary) => received.push(isBinary ? data : data.toString()));
  onTestFinished(() => {
    page.terminate();
    http.close();
  });
  return { connection: await opened, received, page };
}

it.each([1, 121, 122, 160, 640])('audio of %i bytes › arrives whole, in order among other messages', async (length) => {
  const { connection, received, page } = await connected();
  const frame = new Uint8Array(length).map((_, i) => i % 256);
  connection.sendAudio(7, frame);
  connection.send({ type: 'answered' });
  connection.sendAudio(2 ** 32 + 8, frame);
  connection.close();
  await once(page, 'close');
  const withSequence = (sequence: number): Buffer => Buffer.from([0, 0, 0, sequence, ...frame]);
  expect(received).toEqual([withSequence(7), '{"type":"answered"}', withSequence(8)]);
});

it.each([10, 200, 40_000])('a text of %i characters › arrives whole', async (length) => {
  const { connection, received, page } = await connected();
  const message = { type: 'agent-text', text: 'é€'.repeat(length) } as const;
  connection.send(message);
  connection.close();
  await once(page, 'close');
  expect(received).toEqual([JSON.stringify(message)]);
});

it('audio › is not sent once the connection closes', async () => {
  const { connection, received, page } = await connected();
  connection.close();
  connection.sendAudio(1, new Uint8Array(160));
  const [code] = (await once(page, 'close')) as [number];
  expect([code, received]).toEqual([1000, []]);
});
