import { systemRandom } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { createCertificate } from '../../../src/server/webrtc/dtls/certificate.ts';
import { DtlsServer } from '../../../src/server/webrtc/dtls/dtls-server.ts';
import { agree } from '../../../src/server/webrtc/sdp/agreement.ts';
import { writeAnswer } from '../../../src/server/webrtc/sdp/answer.ts';
import { OfferError, parseOffer } from '../../../src/server/webrtc/sdp/offer.ts';
import { attributes, hasIntegrity, parseStun } from '../../../src/server/webrtc/stun/message.ts';
import { write } from '../../../src/server/webrtc/stun/response.ts';
import { clientHello, clientMessage } from './client-hello.ts';
import { mutate, seeded } from './mutate.ts';
import { chromiumOffer } from './offers.ts';

describe('mutated input', () => {
  it('of STUN is parsed or rejected, 100,000 times, and never authentic', () => {
    const below = seeded(1);
    const list = [
      [attributes.username, Buffer.from('abcdefgh:ijkl')],
      [attributes.priority, Buffer.alloc(4, 9)],
      [attributes.iceControlling, Buffer.alloc(8, 9)],
    ] as const;
    const source = write(1, Buffer.alloc(12, 7), list, 'password');
    let authentic = 0;
    for (let n = 0; n < 100_000; n++) {
      const bytes = mutate(source, below);
      const message = parseStun(bytes);
      if (message === null || bytes.equals(source)) continue;
      if (message.hasFingerprint && hasIntegrity(bytes, message, 'password')) authentic += 1;
    }
    expect(authentic).toBe(0);
  });

  it('of DTLS is handled or dropped, 20,000 times, and never connects', () => {
    const below = seeded(2);
    const certificate = createCertificate(systemRandom);
    const clock = new VirtualClock();
    const ends = new Set<string>();
    let flights = 0;
    for (let n = 0; n < 20_000; n++) {
      const sent: Buffer[] = [];
      const server = new DtlsServer({
        clock,
        random: systemRandom,
        certificate,
        isExpected: () => true,
        send: (datagram) => sent.push(datagram),
        onConnected: () => ends.add('connected'),
        onEnd: (reason) => ends.add(reason),
      });
      server.receive(clientHello(0, Buffer.alloc(0)), 'page');
      const cookie = sent[0]?.subarray(-16) ?? Buffer.alloc(0);
      const hello = clientHello(1, cookie);
      // Most mutations go to the messages behind the hello.
      server.receive(below(4) === 0 ? mutate(hello, below) : hello, 'page');
      if (sent.length > 1) flights += 1;
      server.receive(mutate(clientMessage(11, 2, certificateChain(certificate.der)), below), 'page');
      server.receive(
        mutate(clientMessage(16, 3, Buffer.concat([Buffer.of(65, 4), Buffer.alloc(64, 5)])), below),
        'page',
      );
      server.receive(mutate(clientMessage(15, 4, Buffer.from('0403000401020304', 'hex')), below), 'page');
      server.close();
    }
    expect(flights).toBeGreaterThan(10_000);
    expect(ends).toContain('a message was malformed');
    expect(ends).not.toContain('connected');
    expect(clock.pending).toBe(0);
  });

  it('of SDP is answered or refused, 20,000 times', () => {
    const below = seeded(3);
    const remote = { address: 'ice', port: 0 };
    const results = { answered: 0, refused: 0 };
    for (let n = 0; n < 20_000; n++) {
      const text = mutate(Buffer.from(chromiumOffer), below).toString('utf8');
      try {
        const offer = parseOffer(text);
        const agreement = agree(offer, ['pcmu', 'opus'], remote);
        const parameters = { agreement, ufrag: 'u', password: 'p', fingerprint: 'AB', addresses: ['192.0.2.1'] };
        const answer = writeAnswer(offer, { ...parameters, port: 1, hasTcp: true, sessionId: 1, ssrc: 1 });
        expect(answer.split('\r\n').every((line) => line === '' || /^[a-z]=[ -~]*$/.test(line))).toBe(true);
        results.answered += 1;
      } catch (thrown) {
        if (!(thrown instanceof OfferError)) throw thrown;
        results.refused += 1;
      }
    }
    expect(results.answered).toBeGreaterThan(1_000);
    expect(results.refused).toBeGreaterThan(1_000);
  });
});

function certificateChain(der: Buffer): Buffer {
  const length = Buffer.of(0, der.length >> 8, der.length & 0xff);
  const all = Buffer.of(0, (der.length + 3) >> 8, (der.length + 3) & 0xff);
  return Buffer.concat([all, length, der]);
}
