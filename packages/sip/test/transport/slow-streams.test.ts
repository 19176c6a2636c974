import { connect, type Socket } from 'node:net';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createResponse } from '../../src/message/response.ts';
import { SourceGuard } from '../../src/transport/source-guard.ts';
import { TransportLayer } from '../../src/transport/transport-layer.ts';
import { CollectingListener } from '../support/collecting-listener.ts';
import { requestText } from '../support/messages.ts';
import { until } from '../support/until.ts';

let clock: VirtualClock;
let listener: CollectingListener;
let transport: TransportLayer;
let client: Socket;
let isClosed: boolean;

const options = requestText({ method: 'OPTIONS' });
const invite = requestText({ method: 'INVITE' });

beforeEach(async () => {
  clock = new VirtualClock();
  listener = new CollectingListener();
  isClosed = false;
  transport = new TransportLayer({ clock, listen: ['tcp://127.0.0.1:0'], logger: silentLogger }, listener);
  await transport.start();
  client = connect(transport.addresses[0]?.port ?? 0, '127.0.0.1');
  client.on('error', () => {});
  client.on('close', () => {
    isClosed = true;
  });
  client.resume();
  await new Promise<void>((resolve) => client.once('connect', resolve));
});
afterEach(async () => {
  client.destroy();
  await closed();
  await transport.close();
});

const closed = (): Promise<void> => until(() => isClosed, 'the connection is closed');

describe('connection of an untrusted source', () => {
  it('is closed when a message is not complete after 10 s, also after a complete one', async () => {
    client.write(`${options}${options.slice(0, 100)}`);
    await listener.next();
    await clock.advance(10_000);
    await closed();
  });

  it('is not kept open by single bytes of a message', async () => {
    client.write(options);
    await listener.next();
    for (const byte of options.slice(0, 9)) {
      client.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(1_500);
    }
    await closed();
  });

  it('is not closed for a line end that belongs to no message', async () => {
    client.write(`${options}\r\n`);
    await listener.next();
    await clock.advance(20_000);
    client.write(options);
    await listener.next();
    expect(isClosed).toBe(false);
  });

  it('is closed after a minute without a message', async () => {
    client.write(options);
    await listener.next();
    await clock.advance(59_000);
    expect(isClosed).toBe(false);
    await clock.advance(61_000);
    await closed();
  });

  it('stays open once a call on it rings', async () => {
    client.write(invite);
    const { message, envelope, flow } = await listener.next();
    if (message.kind !== 'request') throw new Error('unexpected response');
    transport.respond(createResponse(message, 180), envelope.via, flow);
    await clock.advance(300_000);
    expect(flow.open).toBe(true);
  });
});

const bodyBytes = 60_000;
const largeInvite = invite.replace('Content-Length: 0', `Content-Length: ${bodyBytes}`);

/** Opens more connections with an unfinished message than fit into the memory limit. Returns how many are open. */
async function fillMemory(port: number): Promise<() => number> {
  let open = 0;
  const attackers: Socket[] = [];
  for (let n = 0; n < 700; n += 1) {
    // One source may have 256 connections.
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (n % 3)}` });
    socket.once('connect', () => {
      open += 1;
      socket.write(`${largeInvite}${'x'.repeat(bodyBytes - 1)}`);
    });
    socket.on('error', () => {}).on('close', () => (open -= 1));
    socket.resume();
    attackers.push(socket);
  }
  onTestFinished(() => {
    for (const socket of attackers) socket.destroy();
  });
  const isOver = (): boolean => attackers.every((socket) => socket.closed || socket.bytesWritten >= bodyBytes);
  await until(isOver, 'all have written', 20_000);
  await until(() => open * (bodyBytes - 4_096) <= 32 << 20, 'those beyond the limit are closed', 20_000);
  return () => open;
}

describe('incomplete messages of many untrusted sources', () => {
  it('use at most 32 MiB together, and leave the service to others', async () => {
    const open = await fillMemory(transport.addresses[0]?.port ?? 0);
    expect(open()).toBeGreaterThan(100);
    client.write(options);
    const { message } = await listener.next();
    expect(message).toMatchObject({ kind: 'request', method: 'OPTIONS' });
  });

  it('make room for a message of a trusted source that comes in pieces', async () => {
    const guard = new SourceGuard(clock, { trusted: ['127.0.0.9'] });
    const guarded = new TransportLayer({ clock, listen: ['tcp://127.0.0.1:0'], logger: silentLogger, guard }, listener);
    await guarded.start();
    onTestFinished(() => guarded.close());
    const port = guarded.addresses[0]?.port ?? 0;
    const open = await fillMemory(port);
    const before = open();
    const trunk = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.9' });
    let isTrunkClosed = false;
    trunk
      .on('error', () => {})
      .on('close', () => {
        isTrunkClosed = true;
      });
    onTestFinished(() => void trunk.destroy());
    trunk.write(`${largeInvite}${'x'.repeat(bodyBytes - 1)}`);
    await until(() => open() < before, 'an untrusted connection is closed in its place', 10_000);
    trunk.write('x');
    const { message } = await listener.next();
    expect(message).toMatchObject({ kind: 'request', method: 'INVITE' });
    expect(isTrunkClosed).toBe(false);
  });
});
