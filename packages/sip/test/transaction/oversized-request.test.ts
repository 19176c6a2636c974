import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SipRequest } from '../../src/message/message.ts';
import { parseMessage } from '../../src/message/parse.ts';
import { answerSdp, Dialing } from '../support/dialing.ts';
import { until } from '../support/until.ts';

let dialing: Dialing;
let server: Server | null;
let sockets: Socket[];
let overTcp: SipRequest[];

beforeEach(async () => {
  dialing = await Dialing.open();
  [server, sockets, overTcp] = [null, [], []];
});
afterEach(async () => {
  await dialing.close();
  for (const socket of sockets) socket.destroy();
  const open = server;
  if (open !== null) await new Promise((resolve) => void open.close(resolve));
});

/** Makes the peer also listen by TCP, on the port of its datagrams. */
async function listenByTcp(onRequest: (request: SipRequest, socket: Socket) => void): Promise<void> {
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const parsed = parseMessage(bytes);
      if (!parsed.ok || parsed.message.kind !== 'request') return;
      overTcp.push(parsed.message);
      onRequest(parsed.message, socket);
    });
  });
  await new Promise<void>((resolve) => {
    server?.listen(dialing.peer.port, '127.0.0.1', resolve);
  });
}

/** Calls by an INVITE with that many bytes of ballast, and returns the result that arrives by datagram. */
async function invite(bytes: number): Promise<SipRequest> {
  return await dialing.dial({ headers: [['X-Ballast', 'x'.repeat(bytes)]] });
}

/** Calls by an INVITE too large for a datagram, without waiting for a datagram. */
function inviteByTcp(): void {
  void invite(1_000).catch(() => {});
}

function respond(request: SipRequest, status: number, socket: Socket): void {
  const { headers } = request;
  const copied = ['Via', 'From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${headers.get(name)}`);
  const body = status === 200 && request.method === 'INVITE' ? answerSdp.replace(/\r?\n/g, '\r\n') : '';
  const lines = [`SIP/2.0 ${status} Because`, ...copied, `To: ${headers.get('To')};tag=bob`];
  lines.push(`Contact: <sip:bob@127.0.0.1:${dialing.peer.port}>`);
  if (body !== '') lines.push('Content-Type: application/sdp');
  socket.write([...lines, `Content-Length: ${body.length}`, '', body].join('\r\n'));
}

describe('request that is too large for a datagram (RFC 3261 §18.1.1)', () => {
  it('is sent over a connection to the same port, and later requests by datagrams again', async () => {
    await listenByTcp((request, socket) => respond(request, 200, socket));
    inviteByTcp();
    const ack = await dialing.peer.requested('ACK');
    expect(overTcp.map(({ method }) => method)).toEqual(['INVITE']);
    expect(overTcp[0]?.headers.get('Via')).toMatch(/^SIP\/2\.0\/TCP /);
    expect(ack.headers.get('Via')).toMatch(/^SIP\/2\.0\/UDP /);
    expect(dialing.peer.countRequests('INVITE')).toBe(0);
    expect(dialing.reported).toEqual(['answered']);
  });

  it('is canceled over that connection', async () => {
    await listenByTcp((request, socket) => respond(request, request.method === 'INVITE' ? 180 : 200, socket));
    inviteByTcp();
    await until(() => dialing.reported.includes('180'), 'it rings');
    dialing.call?.hangup();
    await until(() => overTcp.length === 2, 'it is cancelled');
    expect(overTcp[1]?.method).toBe('CANCEL');
    expect(overTcp[1]?.headers.get('Via')).toBe(overTcp[0]?.headers.get('Via'));
  });

  it('is sent as a datagram after all when the peer accepts no connection', async () => {
    const request = await invite(1_000);
    expect(request.headers.get('Via')).toMatch(/^SIP\/2\.0\/UDP /);
    dialing.peer.respond(request, 200, { toTag: 'bob', sdp: answerSdp });
    await dialing.requested('ACK');
    expect(dialing.reported).toEqual(['answered']);
  });

  it('does not try a connection again that the peer has just refused', async () => {
    dialing.peer.respond(await invite(1_000), 486, { toTag: 'bob' });
    await dialing.requested('ACK');
    await listenByTcp(() => {});
    dialing.peer.respond(await invite(1_000), 486, { toTag: 'bob' });
    await dialing.requested('ACK');
    expect(sockets).toEqual([]);
  });
});

it('small request is sent as a datagram, also when the peer accepts connections', async () => {
  await listenByTcp(() => {});
  dialing.peer.respond(await invite(100), 486, { toTag: 'bob' });
  await dialing.requested('ACK');
  expect(sockets).toEqual([]);
});
