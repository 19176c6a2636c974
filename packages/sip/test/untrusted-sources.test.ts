import type { Clock, DialedNumber } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serializeMessage } from '../src/message/serialize.ts';
import { type SipOptions, type SipTelephony, sip } from '../src/sip.ts';
import { AnsweringHost } from './support/answering-host.ts';
import { offerText, requestText, wire } from './support/messages.ts';
import { RawPeer } from './support/raw-peer.ts';
import { until } from './support/until.ts';

/** A host that counts the lookups of callers. */
class CountingHost extends AnsweringHost {
  lookups = 0;
  found: DialedNumber[] = [];

  numbersOf(): Promise<DialedNumber[]> {
    this.lookups += 1;
    return Promise.resolve(this.found);
  }
}

let host: CountingHost;
let telephony: SipTelephony;
let peer: RawPeer;

async function start(options: Partial<SipOptions> = {}, clock?: Clock): Promise<void> {
  host = new CountingHost(clock);
  telephony = sip({
    listen: ['udp://127.0.0.1:0'],
    mediaWorkers: 0,
    timers: { t1Ms: 20, t2Ms: 80, t4Ms: 100 },
    ...options,
  });
  await telephony.start(host);
  peer = await RawPeer.open(telephony.addresses[0]?.port);
}

async function stop(): Promise<void> {
  await telephony.close();
  await peer.close();
}

beforeEach(() => start());
afterEach(stop);

describe('untrusted source', () => {
  it('gets no response to any method when it identifies itself as a scanner', async () => {
    const headers = ['User-Agent: friendly-scanner'];
    for (const method of ['OPTIONS', 'REGISTER', 'INVITE']) peer.request({ method, callId: `scan-${method}`, headers });
    peer.request({ method: 'OPTIONS', callId: 'good' });
    const answer = await peer.response(200);
    expect(answer.headers.get('Call-ID')).toBe('good');
    await peer.barrier();
    expect(peer.received).toEqual([answer]);
    expect(host.lookups).toBe(0);
  });

  it('gets no more than a hundred rejections at once, and five more per second', async () => {
    const clock = new VirtualClock();
    await stop();
    await start({}, clock);
    const guess = (from: number, to: number): void => {
      for (let i = from; i < to; i++) peer.request({ method: 'REGISTER', callId: `guess-${i}` });
    };
    guess(0, 150);
    await until(() => peer.received.length >= 100, 'a hundred are answered');
    await peer.barrier();
    expect(peer.received).toHaveLength(100);
    await clock.advance(1_000);
    guess(150, 200);
    await peer.barrier();
    expect(peer.received).toHaveLength(105);
  });

  it('gets Retry-After in response to OPTIONS while no call is accepted', async () => {
    peer.request({ method: 'OPTIONS', callId: 'free' });
    await peer.response(200);
    host.full = true;
    peer.request({ method: 'OPTIONS', callId: 'full' });
    const answer = await peer.response(503);
    expect(answer.headers.get('Retry-After')).toBe('5');
  });

  it('gets Retry-After from a full node, without a lookup', async () => {
    host.full = true;
    peer.request({ sdp: offerText });
    const refusal = await peer.response(503);
    expect(refusal.headers.get('Retry-After')).toBe('5');
    expect(host.lookups).toBe(0);
  });

  it('is ignored after fewer rejections when the host sets a lower limit', async () => {
    await stop();
    await start({ sourceGuard: { refusals: 3, refusalsPerSecond: 0 } });
    for (let i = 0; i < 20; i++) peer.request({ method: 'REGISTER', callId: `guess-${i}` });
    await peer.response(405);
    await peer.barrier();
    expect(peer.received).toHaveLength(3);
  });

  it('is always answered when the guard is disabled', async () => {
    await stop();
    await start({ sourceGuard: false });
    peer.request({ method: 'OPTIONS', callId: 'scan', headers: ['User-Agent: friendly-scanner'] });
    expect((await peer.response(200)).headers.get('Call-ID')).toBe('scan');
  });
});

describe('untrusted source with open inbound', () => {
  const trunk = { address: '127.0.0.1', username: null, password: async () => null };
  const number = { number: '+31201234567', isExact: true, trunks: [] };

  it('has a limited number of calls, and may call again when one has ended', async () => {
    await stop();
    await start({ inbound: 'open', sourceGuard: { calls: 2 } });
    for (const callId of ['one', 'two', 'three']) peer.request({ callId, sdp: offerText });
    const refusal = await peer.response(503);
    expect(refusal.headers.get('Call-ID')).toBe('three');
    expect(refusal.headers.get('Retry-After')).toBe('5');
    expect(host.callCount).toBe(2);
    (await host.call()).reject('busy');
    await peer.response(486);
    peer.request({ callId: 'four', sdp: offerText });
    await until(() => host.callCount === 2, 'the fourth call is let in');
  });

  it('has requests dropped beyond its limit of pending ones', async () => {
    await stop();
    await start({ inbound: 'open', sourceGuard: { requests: 5 } });
    for (let i = 0; i < 50; i++) peer.request({ method: 'OPTIONS', callId: `flood-${i}` });
    await until(() => peer.received.length >= 5, 'five are answered');
    // The limit drops a barrier of this source too.
    const other = await RawPeer.open(telephony.addresses[0]?.port, '127.0.0.1', '127.0.0.2');
    await other.barrier();
    await other.close();
    expect(peer.received).toHaveLength(5);
  });

  it('has unlimited calls when it is a trunk of the number', async () => {
    await stop();
    await start({ inbound: 'open', sourceGuard: { calls: 1 } });
    host.found = [{ ...number, trunks: [trunk] }];
    for (let i = 0; i < 5; i++) peer.request({ callId: `call-${i}`, sdp: offerText });
    await until(() => host.callCount === 5, 'all are let in');
  });

  it('gets at most three bytes for each byte it sent, and no BYE, when it never sends an ACK', async () => {
    await stop();
    await start({ inbound: 'open' });
    peer.request({ sdp: offerText });
    const { leg } = await host.answered();
    await expect(leg).rejects.toThrow('The call ended');
    await peer.barrier();
    const bytesOut = peer.received.reduce((sum, each) => sum + serializeMessage(each).length, 0);
    const bytesIn = wire(requestText({ port: peer.port, sdp: offerText })).length;
    expect(bytesOut).toBeLessThanOrEqual(3 * bytesIn);
    expect(peer.countRequests('BYE')).toBe(0);
  });
});

it('trunk call is passed on with the number record of the host', async () => {
  const trunk = { address: '127.0.0.1', username: null, password: async () => null };
  const number = { number: '+31201234567', isExact: true, trunks: [trunk] };
  host.found = [number];
  peer.request({ sdp: offerText });
  const call = await host.call();
  expect(call.dialed).toBe(number);
  expect(host.lookups).toBe(1);
  call.reject('busy');
  await peer.response(486);
});
