import type { DialRequest, LegEnd, OutgoingCall } from '@va/core/adapter';
import { DnsServer } from '@va/test-servers/mail-servers';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SipTelephony, sip } from '../../src/sip.ts';
import { AnsweringHost } from '../support/answering-host.ts';
import { authority, loopbackIdentity, otherIdentity } from '../support/certificates.ts';
import { closeOn } from '../support/close-on.ts';
import { loopback } from '../support/loopback.ts';
import { offerText } from '../support/messages.ts';
import { RawPeer } from '../support/raw-peer.ts';
import { until } from '../support/until.ts';

/** Time limit for the first response of a server before the next one is called: eight times T1. */
const responseTimeoutMs = 8 * 20;

const answerSdp = offerText.replace('8 0 96', '0 96');

let clock: VirtualClock;
let dns: DnsServer;
let telephony: SipTelephony;
let first: RawPeer;
let second: RawPeer;
let ends: LegEnd[];

beforeEach(async () => {
  ends = [];
  clock = new VirtualClock();
  [dns, first, second] = [await DnsServer.start(), await RawPeer.open(), await RawPeer.open()];
  const listen = ['udp://127.0.0.1:0'];
  telephony = sip({
    listen,
    addresses: loopback,
    dnsServers: [dns.address],
    mediaWorkers: 0,
    timers: { t1Ms: 20, t2Ms: 80, t4Ms: 100 },
  });
  await telephony.start(new AnsweringHost(clock));
  const services = [first, second].map(({ port }, at) => ({ target: 'server.test', port, priority: at, weight: 0 }));
  dns.publish('_sip._udp.trunk.test', { type: 'SRV', services });
  dns.publish('server.test', { type: 'A', addresses: ['127.0.0.1'] });
});
afterEach(async () => {
  for (const peer of [first, second]) peer.agreeToEveryBye();
  await closeOn(clock, telephony);
  await Promise.all([first.close(), second.close(), dns.close()]);
});

function dial(address = 'trunk.test', transport: 'udp' | 'tls' = 'udp', from = telephony): OutgoingCall {
  const trunk: DialRequest['trunk'] = { id: 'trunk', address, transport, credentials: null };
  const request = { callId: 'call', destination: '+31687654321', callerNumber: '+31201234567', trunk };
  const call = from.dial?.(request);
  if (call === undefined) throw new Error('the adapter cannot dial');
  call.onEnd((end) => ends.push(end));
  return call;
}

async function answer(peer: RawPeer): Promise<void> {
  const invite = await peer.requested('INVITE');
  expect(invite.uri).toBe('sip:+31687654321@trunk.test');
  peer.respond(invite, 200, { toTag: 'bob', sdp: answerSdp });
  await peer.requested('ACK');
}

describe('trunk with several servers (RFC 3263 §4.3)', () => {
  it('is called at the next server when the first is unavailable, and later calls begin there', async () => {
    const call = dial();
    first.respond(await first.requested('INVITE'), 503, { toTag: 'one' });
    await Promise.all([answer(second), call.whenAnswered()]);
    call.hangup();
    const again = dial();
    await Promise.all([answer(second), again.whenAnswered()]);
    expect(first.count((each) => each.kind === 'request' && each.method === 'INVITE')).toBe(1);
    again.hangup();
    expect(ends).toEqual([{ cause: 'local-hangup' }, { cause: 'local-hangup' }]);
  });

  it('avoids the first server for its Retry-After', async () => {
    const call = dial();
    const headers = ['Retry-After: 1 (moving house);duration=60'];
    first.respond(await first.requested('INVITE'), 503, { toTag: 'one', headers });
    await Promise.all([answer(second), call.whenAnswered()]);
    call.hangup();
    await clock.advance(1_000);
    const again = dial();
    await Promise.all([answer(first), again.whenAnswered()]);
    again.hangup();
  });

  it('is called at the next server if the first does not respond; a late response there is canceled', async () => {
    const call = dial();
    const late = await first.requested('INVITE');
    await clock.advance(responseTimeoutMs);
    await Promise.all([answer(second), call.whenAnswered()]);
    first.respond(late, 180, { toTag: 'one' });
    first.respond(await first.requested('CANCEL'), 200);
    first.respond(late, 487, { toTag: 'one' });
    await first.requested('ACK');
    expect(ends).toEqual([]);
    call.hangup();
  });

  it('stays with the first server once it has responded, even if it then rejects the call', async () => {
    const call = dial();
    const invite = await first.requested('INVITE');
    first.respond(invite, 100);
    await first.barrier();
    await clock.advance(2 * responseTimeoutMs);
    await first.barrier();
    first.respond(invite, 486, { toTag: 'one' });
    await expect(call.whenAnswered()).rejects.toMatchObject({ code: 'call_over' });
    expect(ends).toMatchObject([{ cause: 'not-answered', why: 'busy' }]);
    expect(second.received).toEqual([]);
  });

  it('does not try the next server after a hang-up', async () => {
    const call = dial();
    const invite = await first.requested('INVITE');
    call.hangup();
    await clock.advance(2 * responseTimeoutMs);
    await first.barrier();
    first.respond(invite, 503, { toTag: 'one' });
    await until(() => ends.length === 1, 'the call ends');
    expect(ends).toEqual([{ cause: 'local-hangup' }]);
    expect(second.received).toEqual([]);
  });

  it('fails with the last response when all servers are unavailable', async () => {
    dial();
    first.respond(await first.requested('INVITE'), 503, { toTag: 'one' });
    second.respond(await second.requested('INVITE'), 503, { toTag: 'two' });
    await until(() => ends.length === 1, 'the call ends');
    expect(ends).toMatchObject([{ cause: 'not-answered', why: 'failed', message: '503 Because' }]);
  });
});

/** A host that collects the fields of warnings. */
class LoggingHost extends AnsweringHost {
  readonly warnings: unknown[] = [];
  override readonly logger = { ...silentLogger, warn: (fields: unknown) => void this.warnings.push(fields) };
}

const unreachable = { cause: 'not-answered', why: 'failed', message: 'The trunk could not be reached.' };

it('trunk unknown to the DNS fails, and the log has its name', async () => {
  const host = new LoggingHost();
  const caller = sip({ listen: ['udp://127.0.0.1:0'], addresses: loopback, dnsServers: [dns.address] });
  await caller.start(host);
  dial('nobody.test', 'udp', caller);
  await until(() => ends.length === 1, 'the call ends');
  expect(ends).toEqual([unreachable]);
  expect(JSON.stringify(host.warnings)).toContain('no address for nobody.test');
  await caller.close();
});

describe('trunk over TLS', () => {
  it.each([
    ['is called where its certificate is for its name', loopbackIdentity, true],
    ['is not called where its certificate is for another name', otherIdentity, false],
  ])('%s', async (_, identity, works) => {
    const [host, placing, caller] = [
      new AnsweringHost(),
      new LoggingHost(),
      sip({ listen: [], addresses: loopback, tls: { ca: authority }, dnsServers: [dns.address] }),
    ];
    const provider = sip({ listen: ['tls://127.0.0.1:0'], tls: identity, inbound: 'open' });
    await provider.start(host);
    await caller.start(placing);
    dns.publish('sip.example.test', { type: 'A', addresses: ['127.0.0.1'] });
    const call = dial(`sip.example.test:${provider.addresses[0]?.port}`, 'tls', caller);
    if (works) {
      const { leg } = await host.answered();
      await Promise.all([leg, call.whenAnswered()]);
      call.hangup();
      await until(() => host.ends.length === 1, 'the provider hears of the end');
    } else {
      await expect(call.whenAnswered()).rejects.toThrow();
      expect(host.callCount).toBe(0);
      expect(ends).toEqual([unreachable]);
      expect(JSON.stringify(placing.warnings)).toMatch(/altnames/);
    }
    await Promise.all([caller.close(), provider.close()]);
  });
});
