import { VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SipTelephony, sip } from '../../src/sip.ts';
import { AnsweringHost } from '../support/answering-host.ts';
import { closeOn } from '../support/close-on.ts';
import { Dialing } from '../support/dialing.ts';
import { offerText } from '../support/messages.ts';
import { bodyOf, RawPeer, toTagOf } from '../support/raw-peer.ts';

let clock: VirtualClock;
let host: AnsweringHost;
let telephony: SipTelephony;
let peer: RawPeer;

beforeEach(async () => {
  clock = new VirtualClock();
  host = new AnsweringHost(clock);
  telephony = sip({ listen: ['udp://127.0.0.1:0'], mediaWorkers: 0, timers: { t1Ms: 20, t2Ms: 80, t4Ms: 100 } });
  await telephony.start(host);
  peer = await RawPeer.open(telephony.addresses[0]?.port);
});
afterEach(async () => {
  peer.agreeToEveryBye();
  await closeOn(clock, telephony);
  await peer.close();
});

describe('multipart body (RFC 5621)', () => {
  const parts = (disposition: string): string =>
    `--x\n${disposition}Content-Type: application/pidf+xml\n\n<presence/>\n--x\nContent-Type: ` +
    `application/sdp\n\n${offerText}\n--x--\n`;

  it('is an offer when it contains a description', async () => {
    peer.request({ body: { type: 'multipart/mixed;boundary=x', text: parts('') } });
    void (await host.answered()).leg.catch(() => {});
    expect(bodyOf(await peer.response(200, 'INVITE'))).toMatch(/m=audio \d+ RTP\/AVP 8 96\r\n/);
  });

  it('is rejected when a required part is not supported', async () => {
    const text = parts('Content-Disposition: x;handling=required\n');
    peer.request({ body: { type: 'multipart/mixed;boundary=x', text } });
    expect((await peer.response(415)).headers.get('Accept')).toBe('application/sdp');
  });
});

describe('local Contact (RFC 3261 §8.1.1.8, §12.1.1)', () => {
  it.each([
    ['the Request-URI', { uri: 'sips:+31201234567@127.0.0.1' }],
    ['the topmost Record-Route', { headers: ['Record-Route: <sips:127.0.0.1;lr>, <sip:127.0.0.2;lr>'] }],
  ])('is SIPS when %s is', async (_, request) => {
    peer.request({ ...request, sdp: offerText });
    const call = await host.call();
    call.ring();
    expect((await peer.response(180)).headers.get('Contact')).toMatch(/^<sips:127\.0\.0\.1:\d+>$/);
    const leg = call.answer();
    const ok = await peer.response(200, 'INVITE');
    expect(ok.headers.get('Contact')).toMatch(/^<sips:127\.0\.0\.1:\d+>$/);
    peer.request({ method: 'ACK', toTag: toTagOf(ok), branch: 'z9hG4bK-ack' });
    await leg;
  });

  it('is SIP when a Record-Route precedes a SIPS Contact of the peer', async () => {
    peer.request({ headers: ['Record-Route: <sip:127.0.0.1;lr>'], sdp: offerText });
    (await host.call()).ring();
    expect((await peer.response(180)).headers.get('Contact')).toMatch(/^<sip:/);
  });

  it('is SIPS in outgoing calls to a SIPS URI', async () => {
    const dialing = await Dialing.open();
    const flow = dialing.agent.flowTo({ address: '127.0.0.1', port: dialing.peer.port, transport: 'udp' });
    if (flow === null) throw new Error('no flow to the peer');
    const invite = await dialing.dial({ flow, uri: 'sips:bob@127.0.0.1' });
    expect(invite.headers.get('Contact')).toMatch(/^<sips:127\.0\.0\.1:\d+>$/);
    dialing.peer.respond(invite, 486, { toTag: 'bob' });
    await dialing.close();
  });
});
