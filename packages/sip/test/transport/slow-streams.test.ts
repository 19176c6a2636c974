import { connect, type Socket } from 'node:net';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createResponse } from '../../src/message/response.ts';
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
  await transport.close();
});

const closed = (): Promise<void> => until(() => isClosed, 'the connection is closed');

describe('a connection of a stranger', () => {
  it('is closed when a message that has begun is not complete after 10 s, also after a whole one', async () => {
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

  it('is closed after a minute without a message', async () => {
    client.write(options);
    await listener.next();
    await clock.advance(59_000);
    expect(isClosed).toBe(false);
    await clock.advance(61_000);
    await closed();
  });

  it('stays open once a call of it rings', async () => {
    client.write(invite);
    const { message, envelope, flow } = await listener.next();
    if (message.kind !== 'request') throw new Error('This is a response.');
    transport.respond(createResponse(message, 180), envelope.via, flow);
    await clock.advance(300_000);
    expect(flow.open).toBe(true);
  });
});
