import { type AddressPolicy, createAddressPolicy, type DialRequest, type LegEnd } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SipOptions, type SipTelephony, sip } from '../src/sip.ts';
import { AnsweringHost } from './support/answering-host.ts';
import { closeOn } from './support/close-on.ts';
import { loopback } from './support/loopback.ts';
import { offerText } from './support/messages.ts';
import { RawPeer } from './support/raw-peer.ts';
import { until } from './support/until.ts';

const answerSdp = offerText.replace('8 0 96', '0 96');

let clock: VirtualClock;
let telephony: SipTelephony;
let peer: RawPeer;
let other: RawPeer;
let ends: LegEnd[];

async function start(options: Partial<SipOptions> = {}): Promise<void> {
  ends = [];
  clock = new VirtualClock();
  const timers = { t1Ms: 20, t2Ms: 80, t4Ms: 100 };
  telephony = sip({ listen: ['udp://127.0.0.1:0'], addresses: loopback, mediaWorkers: 0, timers, ...options });
  await telephony.start(new AnsweringHost(clock));
  [peer, other] = [await RawPeer.open(), await RawPeer.open()];
}

beforeEach(() => start());
afterEach(async () => {
  for (const each of [peer, other]) each.agreeToEveryBye();
  await closeOn(clock, telephony);
  await Promise.all([peer.close(), other.close()]);
});

async function restart(options: Partial<SipOptions>): Promise<void> {
  await closeOn(clock, telephony);
  await Promise.all([peer.close(), other.close()]);
  await start(options);
}

function dial() {
  const trunk: DialRequest['trunk'] = {
    id: 'trunk',
    address: `127.0.0.1:${peer.port}`,
    transport: 'udp',
    credentials: null,
  };
  const call = telephony.dial?.({ callId: 'call', destination: '+31687654321', callerNumber: '+31201234567', trunk });
  call?.onEnd((end) => ends.push(end));
  return call;
}

/** Answers the next INVITE at a peer with a redirection to those Contacts. */
async function redirect(at: RawPeer, contacts: readonly string[], status = 302): Promise<void> {
  const [first = '', ...others] = contacts;
  const headers = others.map((uri) => `Contact: ${uri}`);
  at.respond(await at.requested('INVITE'), status, { toTag: `r${status}`, contact: `${first}`, headers });
  await at.requested('ACK');
}

async function ended(): Promise<LegEnd | undefined> {
  await until(() => ends.length > 0, 'the call ends', 5_000);
  return ends[0];
}

describe('redirection (RFC 3261 §8.1.3.4)', () => {
  it.each([300, 301, 302, 380])('follows %i to another port of the same host', async (status) => {
    const call = dial();
    await redirect(peer, [`sip:desk@127.0.0.1:${other.port}`], status);
    const invite = await other.requested('INVITE');
    expect(invite.uri).toBe(`sip:desk@127.0.0.1:${other.port}`);
    expect(invite.headers.get('To')).toBe(`<sip:+31687654321@127.0.0.1:${peer.port}>`);
    other.respond(invite, 200, { toTag: 'desk', sdp: answerSdp });
    await Promise.all([other.requested('ACK'), call?.whenAnswered()]);
    call?.hangup();
  });

  it('tries targets in the order of their q, each after the rejection of the one before', async () => {
    dial();
    const invite = await peer.requested('INVITE');
    const at = (user: string): string => `sip:${user}@127.0.0.1:${peer.port}`;
    const headers = [`Contact: <${at('second')}>;q=0.5, <${at('third')}>;q=0.1`];
    peer.respond(invite, 300, { toTag: 'r', contact: at('first'), headers });
    for (const user of ['first', 'second', 'third']) {
      const next = await peer.requested('INVITE');
      expect(next.uri).toBe(at(user));
      peer.respond(next, 486, { toTag: user });
    }
    expect(await ended()).toEqual({ cause: 'not-answered', why: 'busy', message: '486 Because' });
  });

  it('ends with a 6xx response, even if targets are left', async () => {
    dial();
    await redirect(peer, [`sip:a@127.0.0.1:${peer.port}`]);
    peer.respond(await peer.requested('INVITE'), 603, { toTag: 'a' });
    expect(await ended()).toMatchObject({ why: 'declined' });
  });

  it('ends a loop, and tries at most five targets', async () => {
    dial();
    const at = (user: string): string => `sip:${user}@127.0.0.1:${peer.port}`;
    await redirect(peer, [at('a')]);
    await redirect(peer, [at('a')]);
    expect(await ended()).toMatchObject({ why: 'failed', message: expect.stringMatching(/^302 /) });
    dial();
    ends.length = 0;
    for (const user of ['b', 'c', 'd', 'e', 'f']) await redirect(peer, [at(user)]);
    expect(await ended()).toMatchObject({ why: 'failed' });
    expect(peer.countRequests('INVITE')).toBe(2 + 5);
  });

  it('follows to another host only if the operator lists it, and applies the address policy to it', async () => {
    const contact = (): string => `sip:desk@127.0.0.2:${other.port}?Replaces=1`;
    dial();
    await redirect(peer, [contact()]);
    const end = { cause: 'not-answered', why: 'failed', message: '302 Because (none of the targets may be called)' };
    expect(await ended()).toEqual(end);
    await restart({ redirectHosts: ['127.0.0.2'], addresses: createAddressPolicy({ allowed: ['127.0.0.1'] }) });
    dial();
    await redirect(peer, [contact()]);
    expect(await ended()).toMatchObject({ message: 'The trunk could not be reached.' });
  });
});

describe('address policy', () => {
  const nothing: AddressPolicy = createAddressPolicy();

  it('keeps calls away from non-public addresses, without revealing to the tenant what is there', async () => {
    await restart({ addresses: nothing });
    dial();
    expect(await ended()).toEqual({ cause: 'not-answered', why: 'failed', message: 'The trunk could not be reached.' });
    expect(peer.received).toEqual([]);
    expect(telephony.peers).toEqual([]);
  });

  it('does not distinguish a closed port from a silent one', async () => {
    const trunk: DialRequest['trunk'] = { id: 't', address: '127.0.0.1:9', transport: 'tcp', credentials: null };
    telephony.dial?.({ callId: 'c', destination: '+31687654321', callerNumber: '+31201234567', trunk }).onEnd((end) => {
      ends.push(end);
    });
    expect(await ended()).toEqual({ cause: 'not-answered', why: 'failed', message: 'The trunk could not be reached.' });
    ends.length = 0;
    dial();
    await peer.requested('INVITE');
    await clock.advance(64 * 20);
    expect(ends).toEqual([{ cause: 'not-answered', why: 'failed', message: 'The trunk could not be reached.' }]);
  });

  it('keeps requests within a call away from a Contact in the network of the service', async () => {
    await restart({ addresses: createAddressPolicy({ allowed: ['127.0.0.1'] }) });
    const call = dial();
    const contact = `sip:desk@127.0.0.2:${other.port}`;
    peer.respond(await peer.requested('INVITE'), 200, { toTag: 'bob', sdp: answerSdp, contact });
    await Promise.all([peer.requested('ACK'), call?.whenAnswered()]);
    call?.hangup();
    expect((await peer.requested('BYE')).uri).toBe(contact);
  });
});
