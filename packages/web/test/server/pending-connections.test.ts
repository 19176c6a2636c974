import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { WebService } from './service.ts';

let service: WebService;
const sockets: WebSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await service.close();
});

/** Opens connections that send no message. */
async function leaveOpen(count: number, addressOf: (n: number) => string): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const socket = new WebSocket(service.socketUrl, { headers: { 'x-forwarded-for': addressOf(n) } });
    sockets.push(socket);
    await once(socket, 'open');
  }
}

function stillOpen(): number {
  return sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
}

it('connections without a token › are limited to 20 per address, and do not keep out a page with one', async () => {
  service = await WebService.start({ handler: { trustedProxies: ['127.0.0.1'] } });
  const elsewhere = new WebSocket(service.socketUrl, { headers: { 'x-forwarded-for': '203.0.113.8' } });
  sockets.push(elsewhere);
  await once(elsewhere, 'open');
  await leaveOpen(60, () => '203.0.113.7');
  await expect.poll(stillOpen).toBe(21);
  expect(elsewhere.readyState).toBe(WebSocket.OPEN);
  const token = (await service.token()).token;
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  await (await service.connect({ type: 'hello', version: 1, token }, headers)).message('answered');
});

it('connections without a token › count for the real address when the header forges others', async () => {
  service = await WebService.start();
  await leaveOpen(40, (n) => `203.0.113.${n}`);
  await expect.poll(stillOpen).toBe(20);
});

it('connections without a token › are limited to 200 in total, and do not keep out a page with one', async () => {
  service = await WebService.start({ handler: { trustedProxies: ['127.0.0.1'] } });
  await leaveOpen(220, (n) => `203.0.113.${n}`);
  await expect.poll(stillOpen).toBeLessThanOrEqual(200);
  await (await service.call()).message('answered');
});
