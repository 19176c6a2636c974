import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { systemClock } from '@va/core/adapter';
import { writeRtp } from '@va/media';
import { afterEach, describe, expect, it } from 'vitest';
import { type SipOptions, type SipTelephony, sip } from '../src/sip.ts';
import { AnsweringHost } from './support/answering-host.ts';
import { offerAt } from './support/messages.ts';
import { bodyOf, RawPeer, toTagOf } from './support/raw-peer.ts';
import { until } from './support/until.ts';

let telephony: SipTelephony | null = null;
let peer: RawPeer | null = null;
let phone: Socket | null = null;

afterEach(async () => {
  peer?.agreeToEveryBye();
  await telephony?.close();
  await peer?.close();
  phone?.close();
  [telephony, peer, phone] = [null, null, null];
});

async function phoneAt(address: string): Promise<Socket> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  await new Promise<void>((resolve) => void socket.bind(0, address, resolve));
  phone = socket;
  return socket;
}

async function callAt(
  listen: readonly string[],
  which: number,
  options: Partial<SipOptions> = {},
): Promise<{ host: AnsweringHost; peer: RawPeer }> {
  const host = new AnsweringHost();
  telephony = sip({ listen, mediaWorkers: 0, timers: { t1Ms: 20, t2Ms: 80, t4Ms: 100 }, ...options });
  await telephony.start(host);
  const at = telephony.addresses[which];
  peer = await RawPeer.open(at?.port, at?.address);
  return { host, peer };
}

/** A phone's offer with the given connection lines. */
function offerOf(socket: Socket, more = ''): string {
  const { address, port } = socket.address();
  const family = isIPv6(address) ? 'IP6' : 'IP4';
  return offerAt(port, more).replaceAll('IN IP4 127.0.0.1', `IN ${family} ${address}`);
}

describe('media source setting of a trunk', () => {
  it.each([
    ['latch', 'strict', [1]],
    ['strict', 'latch', [2, 2, 2, 1]],
    ['strict', null, [1]],
  ] as const)("takes the trunk's value, else the host's: host %s, trunk %s", async (mediaSource, ofTrunk, expected) => {
    let skewMs = 0;
    class LaterHost extends AnsweringHost {
      override readonly clock = { ...systemClock, nowMs: () => systemClock.nowMs() + skewMs };
      async numbersOf(number: string) {
        const trunk = { address: '127.0.0.1', username: null, mediaSource: ofTrunk, password: async () => null };
        return [{ number, isExact: true, trunks: [trunk] }];
      }
    }
    const host = new LaterHost();
    telephony = sip({ listen: ['udp://127.0.0.1:0'], mediaWorkers: 0, mediaSource });
    await telephony.start(host);
    peer = await RawPeer.open(telephony.addresses[0]?.port);
    const socket = await phoneAt('127.0.0.1');
    const neighbour = createSocket('udp4');
    peer.request({ sdp: offerOf(socket) });
    const { leg } = await host.answered();
    const ok = await peer.response(200);
    peer.request({ method: 'ACK', toTag: toTagOf(ok), branch: 'z9hG4bK-ack' });
    const media = await leg;
    const heard: number[] = [];
    media.onFrame((frame) => void heard.push(frame?.[0] ?? -1));
    skewMs = 1_000;
    const port = Number(/m=audio (\d+)/.exec(bodyOf(ok))?.[1]);
    const say = async (from: Socket, tag: number, sequence: number): Promise<void> => {
      const payload = new Uint8Array(160).fill(tag);
      const bytes = writeRtp({
        marker: false,
        payloadType: 8,
        sequence,
        timestamp: sequence * 160,
        ssrc: tag,
        payload,
      });
      await new Promise((resolve) => from.send(bytes, port, '127.0.0.1', resolve));
    };
    for (let sequence = 1; sequence <= 5; sequence++) await say(neighbour, 2, sequence);
    await say(socket, 1, 1);
    await until(() => heard.includes(1), 'the phone is heard');
    neighbour.close();
    expect(heard).toEqual(expected);
  });
});

describe('incoming call', () => {
  it.each([
    ['first', 0, '127.0.0.1'],
    ['second', 1, '127.0.0.2'],
  ])('has its media at the %s listening address, on which it arrived', async (_, which, address) => {
    const { host, peer } = await callAt(['udp://127.0.0.1:0', 'udp://127.0.0.2:0'], which);
    const socket = await phoneAt('127.0.0.1');
    const sources: RemoteInfo[] = [];
    socket.on('message', (_bytes, from) => void sources.push(from));
    peer.request({ sdp: offerOf(socket) });
    const { leg } = await host.answered();
    const ok = await peer.response(200);
    peer.request({ method: 'ACK', toTag: toTagOf(ok), branch: 'z9hG4bK-ack' });
    (await leg).send(new Uint8Array(160));
    await until(() => sources.length > 0, 'a frame arrives');
    expect(bodyOf(ok)).toContain(`c=IN IP4 ${address}\r\n`);
    expect(bodyOf(ok)).toContain(`m=audio ${sources[0]?.port} `);
    expect(sources[0]?.address).toBe(address);
  });

  it.each([
    ['IPv4', 'IPv6', '127.0.0.1', '::1', 'c=IN IP6 ::1'],
    ['IPv6', 'IPv4', '::1', '127.0.0.1', 'c=IN IP4 127.0.0.1'],
  ])('has media of the family of the offer: signalling %s, offer %s', async (_, __, signalling, media, expected) => {
    const listen = signalling === '::1' ? 'udp://[::1]:0' : 'udp://127.0.0.1:0';
    const { host, peer } = await callAt([listen], 0);
    const socket = await phoneAt(media);
    let received = 0;
    socket.on('message', () => {
      received += 1;
    });
    peer.request({ sdp: offerOf(socket) });
    const { leg } = await host.answered();
    const ok = await peer.response(200);
    expect(bodyOf(ok)).toContain(expected);
    peer.request({ method: 'ACK', toTag: toTagOf(ok), branch: 'z9hG4bK-ack' });
    (await leg).send(new Uint8Array(160));
    await until(() => received > 0, 'a frame arrives');
  });

  it('is rejected with the reason when rtpAddress has another address family than the offer', async () => {
    const { peer } = await callAt(['udp://127.0.0.1:0'], 0, { rtpAddress: '127.0.0.1' });
    peer.request({ sdp: offerOf(await phoneAt('::1')) });
    expect((await peer.response(488)).headers.get('Warning')).toMatch(/^301 - ".*address family/);
  });

  it.each([
    ['a host name', (sdp: string) => sdp.replace('c=IN IP4 127.0.0.1', 'c=IN IP4 phone.example'), /^301 .*host name/],
    ['several ports', (sdp: string) => sdp.replace(' RTP/AVP', '/2 RTP/AVP'), /^399 .*several ports/],
    ['multicast', (sdp: string) => sdp.replace('c=IN IP4 127.0.0.1', 'c=IN IP4 224.0.0.1/127'), /^330 /],
    ['broadcast', (sdp: string) => sdp.replace('c=IN IP4 127.0.0.1', 'c=IN IP4 255.255.255.255'), /^330 /],
    [
      'the metadata service of a cloud',
      (sdp: string) => sdp.replace('c=IN IP4 127.0.0.1', 'c=IN IP4 169.254.169.254'),
      /^399 /,
    ],
    ['an RTCP port out of range', (sdp: string) => `${sdp}a=rtcp:99999\n`, /^399 .*a=rtcp/],
    ['no supported codec', (sdp: string) => sdp.replace(' 8 0 96', ' 18'), /^304 .*codec/],
  ])('is rejected with the reason when the offer names %s', async (_, change, warning) => {
    const { peer } = await callAt(['udp://127.0.0.1:0'], 0);
    peer.request({ sdp: change(offerOf(await phoneAt('127.0.0.1'))) });
    expect((await peer.response(488)).headers.get('Warning')).toMatch(warning);
  });

  it('is accepted when the offer has a port count of one', async () => {
    const { host, peer } = await callAt(['udp://127.0.0.1:0'], 0);
    peer.request({ sdp: offerOf(await phoneAt('127.0.0.1')).replace(' RTP/AVP', '/1 RTP/AVP') });
    void (await host.answered()).leg.catch(() => {});
    await peer.response(200);
  });
});
