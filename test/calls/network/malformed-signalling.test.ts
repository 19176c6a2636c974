import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, type TestContext } from 'vitest';
import { noise } from '../../support/noise.ts';
import { scriptedAgent } from '../../support/scripted-agent.ts';
import { startService, type TestService } from '../../support/service.ts';
import { callAgent, exchange, expectFreshCallToWork } from '../../support/short-call.ts';

function invite(lines: readonly string[], body = ''): Buffer {
  return Buffer.from(['INVITE sip:+31201234567@127.0.0.1 SIP/2.0', ...lines, '', body].join('\r\n'));
}

const headers = [
  'Via: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bKx',
  'From: <sip:a@127.0.0.1>;tag=1',
  'To: <sip:+31201234567@127.0.0.1>',
  'Call-ID: broken',
  'CSeq: 1 INVITE',
  'Contact: <sip:a@127.0.0.1:9>',
  'Max-Forwards: 70',
];

const malformed: readonly Buffer[] = [
  Buffer.alloc(0),
  Buffer.from('\r\n\r\n'),
  Buffer.from('INVITE'),
  Buffer.from('INVITE sip:x SIP/9.9\r\n\r\n'),
  Buffer.from('SIP/2.0 200 OK\r\n\r\n'),
  Buffer.from('SIP/2.0 abc\r\nVia: ,,,\r\n\r\n'),
  invite([]),
  invite(headers.slice(1)),
  invite(headers.map((line) => line.replace('1 INVITE', '99999999999999 INVITE'))),
  invite(headers.map((line) => line.replace('<sip:a@127.0.0.1>', '"\\<sip:'))),
  invite([...headers, 'Content-Type: application/sdp', 'Content-Length: 5000'], 'v=0'),
  invite([...headers, 'Content-Type: application/sdp', 'Content-Length: -1'], 'v=0'),
  invite([...headers, 'Content-Type: application/sdp', 'Content-Length: 18'], 'm=audio x RTP/AVP\r'),
  Buffer.concat([invite(headers), noise(2_000, 3)]),
  ...Array.from({ length: 100 }, (_, index) => noise(1 + index * 13, index)),
];

async function sendDatagrams(port: number, datagrams: readonly Buffer[]): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('error', () => {});
  for (const datagram of datagrams) await new Promise((resolve) => socket.send(datagram, port, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => {
    socket.close(resolve);
  });
}

/** Resolves when the remote side has closed the connection. */
async function sendStream(port: number, bytes: Buffer): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'connect');
  socket.write(bytes);
  await once(socket, 'close');
}

describe('malformed signalling during a call', () => {
  async function start({ onTestFinished }: TestContext): Promise<TestService> {
    const service = await startService({ agent: scriptedAgent({ turns: ['hello', 'hello again'] }) });
    onTestFinished(() => service.close());
    return service;
  }

  it.concurrent('is dropped when it arrives in datagrams', async (context) => {
    const service = await start(context);
    const call = await callAgent(service);
    await sendDatagrams(service.port('udp'), malformed);
    await exchange(call);
    await sendDatagrams(service.port('udp'), malformed);
    await exchange(call);
    await call.hangup();
    const record = await service.ended(1);
    expect(record).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
    expect(record.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
    await expectFreshCallToWork(service);
    expect(service.calls).toHaveLength(2);
  });

  it.concurrent('closes only its own connection when it arrives in a stream', async (context) => {
    const service = await start(context);
    const call = await callAgent(service, { transport: 'tcp' });
    await sendStream(service.port('tcp'), Buffer.concat([Buffer.from('INVITE '), noise(200_000, 7)]));
    await exchange(call);
    await sendStream(service.port('tcp'), invite([...headers, 'Content-Length: 999999999'], 'v=0'));
    await exchange(call);
    await call.hangup();
    const record = await service.ended(1);
    expect(record).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
    expect(record.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
    await expectFreshCallToWork(service);
  });
});
