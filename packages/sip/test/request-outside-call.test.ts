import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SipTelephony, sip } from '../src/sip.ts';
import { AnsweringHost } from './support/answering-host.ts';
import { offerText } from './support/messages.ts';
import { RawPeer } from './support/raw-peer.ts';

let host: AnsweringHost;
let telephony: SipTelephony;
let peer: RawPeer;

beforeEach(async () => {
  host = new AnsweringHost();
  telephony = sip({ listen: ['udp://127.0.0.1:0'], mediaWorkers: 0, sourceGuard: { trusted: ['127.0.0.1'] } });
  await telephony.start(host);
  peer = await RawPeer.open(telephony.addresses[0]?.port);
});
afterEach(async () => {
  await telephony.close();
  await peer.close();
});

describe('agent that receives a request outside a call', () => {
  it('answers OPTIONS with the supported features', async () => {
    peer.request({ method: 'OPTIONS' });
    const { headers } = await peer.response(200);
    expect(headers.get('Allow')).toContain('INVITE');
    expect(headers.get('Accept')).toBe('application/sdp');
  });

  it.each([
    ['a BYE of an unknown call', { method: 'BYE', toTag: 'nobody' }, 481],
    ['a BYE without a tag', { method: 'BYE' }, 481],
    ['a NOTIFY without a subscription', { method: 'NOTIFY' }, 481],
    ['MESSAGE', { method: 'MESSAGE' }, 405],
    ['SUBSCRIBE', { method: 'SUBSCRIBE' }, 489],
    ['REFER', { method: 'REFER' }, 405],
    ['REGISTER', { method: 'REGISTER' }, 405],
    ['an unknown method', { method: 'DANCE' }, 501],
    ['an unsupported extension', { headers: ['Require: 100rel, nothing'], sdp: offerText }, 420],
    ['another URI scheme', { uri: 'http://127.0.0.1' }, 416],
    ['a malformed URI', { uri: 'sip:a@b@c:x' }, 400],
    ['an encoded body', { headers: ['Content-Encoding: gzip'], sdp: offerText }, 415],
    ['a body of another type than SDP', { headers: ['Content-Type: text/plain'], sdp: 'hello' }, 415],
    ['a caller that does not accept SDP', { headers: ['Accept: text/plain'], sdp: offerText }, 406],
  ])('rejects %s', async (_, parts, status) => {
    peer.request(parts);
    const response = await peer.response(status);
    if (status === 420) expect(response.headers.get('Unsupported')).toBe('nothing');
    expect(host.callCount).toBe(0);
  });

  it('rejects a copy of an INVITE that arrived on another path', async () => {
    peer.request({ sdp: offerText });
    peer.request({ sdp: offerText, branch: 'z9hG4bK-other-way' });
    await peer.response(482);
    (await host.call()).reject('busy');
    expect(host.callCount).toBe(0);
  });

  it('responds to the source of the request, not to the address in its Via', async () => {
    peer.request({ method: 'OPTIONS', via: 'Via: SIP/2.0/UDP 192.0.2.1:9;branch=z9hG4bKnat;rport' });
    const via = (await peer.response(200)).headers.get('Via') ?? '';
    expect(via).toContain(`rport=${peer.port}`);
    expect(via).toContain('received=127.0.0.1');
  });

  it('matches an RFC 2543 request, without a magic-cookie branch, by its other fields', async () => {
    peer.request({ method: 'OPTIONS', branch: '1', callId: 'one' });
    peer.request({ method: 'OPTIONS', branch: '1', callId: 'two' });
    const ids = [(await peer.response(200)).headers.get('Call-ID'), (await peer.response(200)).headers.get('Call-ID')];
    expect(ids.sort()).toEqual(['one', 'two']);
  });

  it.each([
    ['garbage', '\x00\x01garbage'],
    [
      'a response without a request',
      'SIP/2.0 200 OK\nVia: SIP/2.0/UDP a;branch=z9hG4bKx\nFrom: <sip:a@b>;tag=1\nTo: <sip:a@b>\nCall-ID: ' +
        '1\nCSeq: 1 BYE\n\n',
    ],
    ['a response of four digits', 'SIP/2.0 2000 OK\nVia: SIP/2.0/UDP a;branch=z9hG4bKx;rport\n\n'],
    ['a keep-alive', '\n\n'],
    [
      'an ACK without an INVITE',
      'ACK sip:a@b SIP/2.0\nVia: SIP/2.0/UDP a;branch=z9hG4bKx\nFrom: <sip:a@b>;tag=1\nTo: ' +
        '<sip:a@b>;tag=2\nCall-ID: 1\nCSeq: 1 ACK\n\n',
    ],
  ])('drops %s, and serves the next request', async (_, text) => {
    peer.send(text);
    peer.request({ method: 'OPTIONS' });
    await peer.response(200);
    expect(peer.received).toHaveLength(1);
  });

  it('answers a damaged request with 400 when its Via is readable', async () => {
    peer.send(`INVITE sip:a@b SIP/2.0\nVia: SIP/2.0/UDP 127.0.0.1:${peer.port};branch=z9hG4bKx;rport\nl: 99\n\nx`);
    await peer.response(400);
    peer.request({ method: 'OPTIONS', headers: ['Call-ID: twice'] });
    await peer.response(400);
  });
});
