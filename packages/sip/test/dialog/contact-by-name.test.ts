import { DnsServer } from '@va/test-servers/mail-servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemSipDns } from '../../src/resolve/sip-dns.ts';
import { answerSdp, Dialing } from '../support/dialing.ts';
import { RawPeer } from '../support/raw-peer.ts';

let dns: DnsServer;
let dialing: Dialing;
let gateway: RawPeer;

beforeEach(async () => {
  dns = await DnsServer.start();
  gateway = await RawPeer.open();
  dialing = await Dialing.open({ dns: systemSipDns({ servers: [dns.address] }) });
});
afterEach(async () => {
  gateway.agreeToEveryBye();
  await dialing.close();
  await Promise.all([gateway.close(), dns.close()]);
});

/** Makes a call that is answered with this Contact. */
async function answeredBy(contact: string): Promise<void> {
  const invite = await dialing.dial();
  dialing.peer.respond(invite, 200, { toTag: 'bob', sdp: answerSdp, contact });
}

describe('peer with a host name in its Contact (RFC 3263)', () => {
  it("is located by its domain's services for each request of the call, in order", async () => {
    const services = [{ target: 'server.test', port: gateway.port, priority: 0, weight: 0 }];
    dns.publish('_sip._udp.phones.test', { type: 'SRV', services });
    dns.publish('server.test', { type: 'A', addresses: ['127.0.0.1'] });
    await answeredBy('sip:bob@phones.test;transport=udp');
    dialing.call?.hangup();
    const [ack, bye] = [await gateway.requested('ACK'), await gateway.requested('BYE')];
    expect([ack.uri, bye.uri]).toEqual(['sip:bob@phones.test;transport=udp', 'sip:bob@phones.test;transport=udp']);
    const methods = gateway.received.map((message) => (message.kind === 'request' ? message.method : ''));
    expect(methods.slice(0, 2)).toEqual(['ACK', 'BYE']);
    expect(dialing.peer.countRequests('ACK')).toBe(0);
  });

  it('gets requests in their order while its address is looked up', async () => {
    dns.publish('server.test', { type: 'A', addresses: ['127.0.0.1'] });
    await answeredBy(`sip:bob@server.test:${gateway.port}`);
    dialing.call?.hangup();
    await gateway.requested('BYE');
    const methods = gateway.received.map((message) => (message.kind === 'request' ? message.method : ''));
    expect(methods.slice(0, 2)).toEqual(['ACK', 'BYE']);
  });

  it('is reached at the original address when the name does not resolve, also by repeated ACKs', async () => {
    await answeredBy('sip:bob@nobody.invalid');
    const ack = await dialing.peer.requested('ACK');
    expect(ack.uri).toBe('sip:bob@nobody.invalid');
    const invite = dialing.peer.received.find((each) => each.kind === 'request');
    if (invite?.kind !== 'request') throw new Error('no INVITE arrived');
    dialing.peer.respond(invite, 200, { toTag: 'bob', sdp: answerSdp, contact: 'sip:bob@nobody.invalid' });
    const again = await dialing.peer.requested('ACK');
    expect(again.headers.get('Via')).toBe(ack.headers.get('Via'));
  });

  it('is tried at another of its servers when one has not responded', async () => {
    const services = [gateway, dialing.peer].map(({ port }, priority) => ({
      target: 'server.test',
      port,
      priority,
      weight: 0,
    }));
    dns.publish('_sip._udp.phones.test', { type: 'SRV', services });
    dns.publish('server.test', { type: 'A', addresses: ['127.0.0.1'] });
    await answeredBy('sip:bob@phones.test;transport=udp');
    dialing.call?.hangup();
    await gateway.requested('BYE');
    // The server does not respond; only a later call can benefit from that.
    await dialing.clock.advance(64 * 20);
    await answeredBy('sip:bob@phones.test;transport=udp');
    expect((await dialing.peer.requested('ACK')).uri).toBe('sip:bob@phones.test;transport=udp');
  });
});
