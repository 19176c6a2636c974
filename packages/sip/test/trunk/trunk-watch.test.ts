import type { Call } from '@va/core';
import { type Clock, type DialRequest, type OutgoingCall, systemClock } from '@va/core/adapter';
import { DnsServer } from '@va/test-servers/mail-servers';
import { VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SipTelephony, sip } from '../../src/sip.ts';
import { AnsweringHost } from '../support/answering-host.ts';
import { answerSdp } from '../support/dialing.ts';
import { loopback } from '../support/loopback.ts';
import { RawPeer } from '../support/raw-peer.ts';
import { until } from '../support/until.ts';

const timers = { t1Ms: 20, t2Ms: 80, t4Ms: 100 };
let dns: DnsServer;
let telephony: SipTelephony;
let first: RawPeer;
let second: RawPeer;

beforeEach(async () => {
  [dns, first, second] = [await DnsServer.start(), await RawPeer.open(), await RawPeer.open()];
  const services = [first, second].map(({ port }, at) => ({ target: 'server.test', port, priority: at, weight: 0 }));
  dns.publish('_sip._udp.trunk.test', { type: 'SRV', services });
  dns.publish('server.test', { type: 'A', addresses: ['127.0.0.1'] });
});
afterEach(async () => {
  for (const peer of [first, second]) peer.agreeToEveryBye();
  await telephony.close();
  await Promise.all([first.close(), second.close(), dns.close()]);
});

async function start(trunkCheckMs: number, clock: Clock = systemClock): Promise<void> {
  telephony = sip({
    listen: ['udp://127.0.0.1:0'],
    addresses: loopback,
    dnsServers: [dns.address],
    mediaWorkers: 0,
    timers,
    trunkCheckMs,
  });
  await telephony.start(new AnsweringHost(clock));
}

function dial(callId: Call['id'] = 'call'): OutgoingCall {
  const trunk: DialRequest['trunk'] = { id: 'trunk', address: 'trunk.test', transport: 'udp', credentials: null };
  const call = telephony.dial?.({ callId, destination: '+31687654321', callerNumber: '+31201234567', trunk });
  if (call === undefined) throw new Error('the adapter cannot dial');
  return call;
}

/** Makes a call to that peer, which is answered and hung up. */
async function callTo(peer: RawPeer): Promise<void> {
  const call = dial();
  peer.respond(await peer.requested('INVITE'), 200, { toTag: 'bob', sdp: answerSdp });
  await peer.requested('ACK');
  await call.whenAnswered();
  call.hangup();
  peer.respond(await peer.requested('BYE'), 200);
}

const states = () => telephony.peers.map(({ port, state }) => [port, state]);

describe('addresses of a trunk with outgoing calls', () => {
  it('are probed periodically, each once regardless of the number of calls', async () => {
    await start(100);
    expect(telephony.peers).toEqual([]);
    await callTo(first);
    await callTo(first);
    for (let round = 0; round < 3; round++) {
      for (const peer of [first, second]) peer.respond(await peer.requested('OPTIONS'), 200, { toTag: 'p' });
    }
    const asked = await first.requested('OPTIONS');
    expect(asked.uri).toBe('sip:trunk.test');
    expect(telephony.peers).toMatchObject([
      { trunk: 'trunk.test', transport: 'udp', address: '127.0.0.1', port: first.port, state: 'up' },
      { trunk: 'trunk.test', port: second.port, state: 'up' },
    ]);
    expect(new Set(first.received.map((each) => each.headers.get('Call-ID'))).size).toBe(3);
  });

  it('give the trunk its state, with the time of the last check and its round trip', async () => {
    await start(60);
    expect(telephony.trunkHealth?.size).toBe(0);
    await callTo(first);
    const signs = () => telephony.trunkHealth?.get('trunk');
    expect(signs()).toMatchObject({ state: 'unknown', since: null, checked_at: null });
    first.respond(await first.requested('OPTIONS'), 200, { toTag: 'p' });
    await until(() => signs()?.state === 'reachable', 'it is reachable');
    expect(Date.parse(signs()?.checked_at ?? '')).toBeGreaterThanOrEqual(Date.parse(signs()?.since ?? ''));
    expect(signs()?.round_trip_ms).toBeGreaterThanOrEqual(0);
    expect(signs()?.reason).toBeNull();
    const answerBoth = async (): Promise<void> => {
      for (const peer of [first, second]) peer.respond(await peer.requested('OPTIONS'), 503, { toTag: 'p' });
    };
    for (let round = 0; round < 3; round += 1) await answerBoth();
    await until(() => signs()?.state === 'unreachable', 'it is unreachable');
    expect(signs()).toMatchObject({ reason: expect.stringMatching(/^503 /), round_trip_ms: null });
  });

  it('are reordered when the first cannot serve, before a call is affected, and restored later', async () => {
    await start(60);
    await callTo(first);
    first.respond(await first.requested('OPTIONS'), 503, { toTag: 'p' });
    first.respond(await first.requested('OPTIONS'), 503, { toTag: 'p' });
    await until(() => states()[0]?.[1] === 'down', 'it is down');
    await callTo(second);
    expect(first.countRequests('INVITE')).toBe(1);
    first.respond(await first.requested('OPTIONS'), 200, { toTag: 'p' });
    await until(() => telephony.peers.some(({ port, state }) => port === first.port && state === 'up'), 'it is up');
    await callTo(first);
  });

  it('are not probed when the host disables it', async () => {
    const clock = new VirtualClock();
    await start(0, clock);
    await callTo(first);
    await clock.advance(120_000);
    await first.barrier();
    expect(first.countRequests('OPTIONS') + second.countRequests('OPTIONS')).toBe(0);
    expect(telephony.peers).toEqual([]);
  });

  it('are no longer probed when the agent closes, and leave no timer behind', async () => {
    const clock = new VirtualClock();
    await start(50, clock);
    await callTo(first);
    await clock.advance(50);
    await first.requested('OPTIONS');
    await telephony.close();
    expect(clock.pending).toBe(0);
  });
});
