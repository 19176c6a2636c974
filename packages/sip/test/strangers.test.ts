import type { DialedNumber } from '@va/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SipOptions, type SipTelephony, sip } from '../src/sip.ts';
import { AnsweringHost } from './support/answering-host.ts';
import { offerText } from './support/messages.ts';
import { RawPeer } from './support/raw-peer.ts';
import { pause } from './support/until.ts';

/** A service that counts how often a caller is looked up. */
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

async function start(options: Partial<SipOptions> = {}): Promise<void> {
  host = new CountingHost();
  telephony = sip({ listen: ['udp://127.0.0.1:0'], timers: { t1Ms: 20, t2Ms: 80, t4Ms: 100 }, ...options });
  await telephony.start(host);
  peer = await RawPeer.open(telephony.addresses[0]?.port);
}

async function stop(): Promise<void> {
  await telephony.close();
  await peer.close();
}

beforeEach(() => start());
afterEach(stop);

describe('a stranger', () => {
  it('that calls itself a scanner hears nothing, by whatever it asks', async () => {
    const headers = ['User-Agent: friendly-scanner'];
    for (const method of ['OPTIONS', 'REGISTER', 'INVITE']) peer.request({ method, callId: `scan-${method}`, headers });
    peer.request({ method: 'OPTIONS', callId: 'good' });
    const answer = await peer.response(200);
    expect(answer.headers.get('Call-ID')).toBe('good');
    await pause(30);
    expect(peer.received).toEqual([answer]);
    expect(host.lookups).toBe(0);
  });

  it('that guesses number after number is not answered any more', async () => {
    for (let i = 0; i < 300; i++) peer.request({ method: 'REGISTER', callId: `guess-${i}` });
    await peer.response(405);
    await pause(200);
    const answers = peer.received.length;
    expect(answers).toBeGreaterThanOrEqual(100);
    expect(answers).toBeLessThan(150);
  });

  it('that asks whether we are there is told when to come back while no call would be taken', async () => {
    peer.request({ method: 'OPTIONS', callId: 'free' });
    await peer.response(200);
    host.full = true;
    peer.request({ method: 'OPTIONS', callId: 'full' });
    const answer = await peer.response(503);
    expect(answer.headers.get('Retry-After')).toBe('5');
  });

  it('is told when to come back by a node that is full, without being looked up', async () => {
    host.full = true;
    peer.request({ sdp: offerText });
    const refusal = await peer.response(503);
    expect(refusal.headers.get('Retry-After')).toBe('5');
    expect(host.lookups).toBe(0);
  });

  it('that guesses is left without an answer earlier where the host has it so', async () => {
    await stop();
    await start({ sourceGuard: { refusals: 3, refusalsPerSecond: 0 } });
    for (let i = 0; i < 20; i++) peer.request({ method: 'REGISTER', callId: `guess-${i}` });
    await peer.response(405);
    await pause(100);
    expect(peer.received).toHaveLength(3);
  });

  it('is answered whatever it is where the host keeps strangers out itself', async () => {
    await stop();
    await start({ sourceGuard: false });
    peer.request({ method: 'OPTIONS', callId: 'scan', headers: ['User-Agent: friendly-scanner'] });
    expect((await peer.response(200)).headers.get('Call-ID')).toBe('scan');
  });
});

it('a trunk that calls is handed on with the number as the host has found it', async () => {
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
