import { connect, createServer, type Server, type Socket } from 'node:net';
import { VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SipMessage } from '../../src/message/message.ts';
import { parseMessage } from '../../src/message/parse.ts';
import { type SipTelephony, sip } from '../../src/sip.ts';
import { StreamFramer } from '../../src/transport/stream-framer.ts';
import { AnsweringHost } from '../support/answering-host.ts';
import { closeOn } from '../support/close-on.ts';
import { offerText, requestText, wire } from '../support/messages.ts';
import { toTagOf } from '../support/raw-peer.ts';
import { until } from '../support/until.ts';

let clock: VirtualClock;
let host: AnsweringHost;
let telephony: SipTelephony;
let socket: Socket;
let received: (SipMessage | 'ping')[];
let raw: string;

const via = 'Via: SIP/2.0/TCP 127.0.0.1:9;branch=z9hG4bK-tcp;rport';

function collect(from: Socket): void {
  const framer = new StreamFramer();
  from.on('data', (chunk) => {
    raw += chunk.toString();
    for (const item of framer.push(chunk)) {
      const result = item.kind === 'message' ? parseMessage(item.bytes) : null;
      if (result?.ok) received.push(result.message);
    }
  });
  from.on('error', () => {});
}

function found(what: number | string): SipMessage | undefined {
  const is = (message: SipMessage) => (message.kind === 'response' ? message.status : message.method) === what;
  return received.filter((each) => each !== 'ping').find(is);
}

async function receive(what: number | string): Promise<SipMessage> {
  await until(() => found(what) !== undefined, `${what} arrives`);
  return found(what) as SipMessage;
}

beforeEach(async () => {
  clock = new VirtualClock();
  host = new AnsweringHost(clock);
  received = [];
  raw = '';
  telephony = sip({ listen: ['tcp://127.0.0.1:0'], mediaWorkers: 0 });
  await telephony.start(host);
  socket = connect(telephony.addresses[0]?.port ?? 0, '127.0.0.1');
  collect(socket);
});
afterEach(async () => {
  socket.destroy();
  await closeOn(clock, telephony);
});

describe('TCP transport', () => {
  it('carries a whole call over the connection that the caller opened, in pieces of any size', async () => {
    for (const byte of wire(requestText({ via, sdp: offerText }))) socket.write(Uint8Array.of(byte));
    const call = await host.call();
    const leg = call.answer();
    const toTag = toTagOf(await receive(200));
    socket.write(requestText({ via: `${via}-ack`, method: 'ACK', toTag }));
    await leg;
    call.hangup();
    const bye = await receive('BYE');
    expect(bye.headers.get('Via')).toContain('SIP/2.0/TCP');
    const answer = `SIP/2.0 200 OK\r\n${['Via', 'From', 'To', 'Call-ID', 'CSeq']
      .map((name) => `${name}: ${bye.headers.get(name)}`)
      .join('\r\n')}\r\nContent-Length: 0\r\n\r\n`;
    socket.write(answer);
    // The clock stands still, so that this would not resolve if the agent waited for its time limit.
    await telephony.close();
  });

  it('sends a BYE over a new connection when the old one is closed', async () => {
    const server: Server = createServer(collect);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const invite = requestText({ via, sdp: offerText }).replace(':5099>', `:${port};transport=tcp>`);
    socket.write(invite);
    const call = await host.call();
    const leg = call.answer();
    const toTag = toTagOf(await receive(200));
    socket.write(requestText({ via: `${via}-ack`, method: 'ACK', toTag }));
    await leg;
    socket.destroy();
    await until(() => socket.closed, 'the connection is closed');
    received = [];
    // The agent reads the end of the first connection before the request of a later one.
    const later = connect(telephony.addresses[0]?.port ?? 0, '127.0.0.1');
    collect(later);
    later.write(requestText({ via, method: 'OPTIONS', callId: 'later' }));
    await receive(200);
    later.destroy();
    call.hangup();
    await receive('BYE');
    server.close();
  });

  it('answers a ping with a pong', async () => {
    socket.write('\r\n\r\n');
    await until(() => raw === '\r\n', 'the pong arrives');
  });

  it('responds to a message of unknown length, and closes the connection', async () => {
    socket.write(`OPTIONS sip:a@b SIP/2.0\r\n${via}\r\nContent-Length: -1\r\n\r\n`);
    await receive(400);
    await until(() => socket.readableEnded, 'the connection ends');
  });

  it('closes a connection with garbage and no other', async () => {
    const other = connect(telephony.addresses[0]?.port ?? 0, '127.0.0.1');
    other.on('error', () => {});
    other.resume();
    other.write('x'.repeat(40_000));
    await until(() => other.readableEnded, 'the connection ends');
    socket.write(requestText({ via, method: 'OPTIONS' }));
    await receive(200);
    other.destroy();
  });

  it('rejects an address in use with its reason, and leaves nothing open', async () => {
    const taken = `tcp://127.0.0.1:${telephony.addresses[0]?.port}`;
    const second = sip({ listen: ['udp://127.0.0.1:0', taken], mediaWorkers: 0 });
    await expect(second.start(host)).rejects.toMatchObject({ code: 'sip_listen_failed' });
    expect(second.addresses).toEqual([]);
    await second.close();
  });
});
