import { describe, expect, it } from 'vitest';
import { audioCodecs } from '../../src/codec/audio-codec.ts';
import { silentFrames } from '../../src/codec/frame.ts';
import { decodeG711 } from '../../src/codec/g711.ts';
import type { Agreement } from '../../src/rtp/agreement.ts';
import type { MediaTrust } from '../../src/rtp/media-trust.ts';
import { parseRtcp, writeRtcp } from '../../src/rtp/rtcp/packet.ts';
import { agreed } from '../support/agreement.ts';
import { Line } from '../support/line.ts';

const audio = (value: number): Uint8Array => new Uint8Array(160).fill(value);
const stranger = { address: '203.0.113.9', port: 5_000 };
/** Another port of the far end's address, as behind a NAT. */
const nearby = { address: '192.0.2.1', port: 6_000 };

describe('RtpLeg before an agreement', () => {
  it('neither sends nor receives', () => {
    const line = new Line();
    line.leg.send(audio(1));
    line.leg.sendEvent({ digit: '1', durationMs: 20, end: false, first: true });
    line.hear(1);
    expect([line.sent, line.frames]).toEqual([[], []]);
    expect([line.leg.receiving, line.leg.sending, line.leg.agreement]).toEqual([false, false, null]);
    expect(line.leg.format).toEqual({ encoding: 'pcmu', sampleRateHz: 8_000 });
    expect(line.leg.snapshot()).toEqual({
      received: { packets: 0, packetsLost: 0, packetsDropped: 0, jitterMs: 0 },
      sent: { packets: 0, packetsLost: null, jitterMs: null },
      roundTripMs: null,
    });
  });

  it.each([
    ['refuses', 'that sent before our answer', [], 0],
    ['accepts', 'that sent after our offer', ['pcmu'], 1],
  ] as const)('%s a source %s', async (_verb, _time, offered, heard) => {
    const line = new Line();
    line.hear(1, {}, nearby);
    line.leg.apply(agreed(), offered);
    await line.clock.advance(500);
    for (const sequence of [2, 3, 4]) line.hear(sequence, {}, nearby);
    // Three packets prove a source other than that of the SDP; the last one is the first accepted.
    expect(line.frames).toHaveLength(heard);
  });
});

describe('RtpLeg receiving', () => {
  it('passes on frames in order', () => {
    const line = Line.agreed();
    for (const sequence of [1, 3, 2, 4]) line.hear(sequence);
    expect(line.frames).toEqual([1, 2, 3, 4].map(audio));
  });

  it('reports each packet on arrival, in the order of the network', () => {
    const arrived: number[] = [];
    const line = new Line({ onArrival: ({ sequence }) => arrived.push(sequence) });
    line.leg.apply(agreed());
    for (const sequence of [1, 3, 2]) line.hear(sequence);
    line.hear(4, { payloadType: 77 });
    expect(arrived).toEqual([1, 3, 2]);
  });

  it('ignores other sources, malformed packets and what is not RTP', () => {
    const line = Line.agreed();
    line.hear(1, {}, stranger);
    line.receive(new Uint8Array(0));
    line.receive(Uint8Array.of(0x80, 0));
    line.receive(new Uint8Array(40).fill(0x20));
    expect(line.frames).toEqual([]);
    expect(line.leg.snapshot().received.packets).toBe(0);
    expect(line.leg.aliveAtMs).toBe(0);
  });

  it('knows when the far end was last heard', async () => {
    const line = Line.agreed();
    await line.clock.advance(1_500);
    line.hear(1);
    await line.clock.advance(100);
    expect(line.leg.aliveAtMs).toBe(1_500);
  });

  it('decodes each payload type to the format of the leg', () => {
    const line = Line.agreed();
    const payload = Uint8Array.from({ length: 160 }, (_, i) => i);
    line.hear(1, { payloadType: 8, payload });
    const heard = decodeG711('pcmu', line.frames[0] ?? new Uint8Array(0));
    const meant = decodeG711('pcma', payload);
    expect(heard).toHaveLength(160);
    // The steps of the two laws differ by up to 1/16 of a sample.
    for (const [i, sample] of meant.entries()) {
      expect(Math.abs((heard[i] ?? 0) - sample)).toBeLessThanOrEqual(16 + Math.abs(sample) / 16);
    }
  });

  it('keeps the format of the first codec when another is negotiated', () => {
    const line = Line.agreed({ codec: audioCodecs.g722, payloadType: 9 });
    line.leg.apply(agreed());
    expect(line.leg.format).toEqual({ encoding: 'pcm16', sampleRateHz: 16_000 });
    line.hear(1);
    expect(line.frames[0]).toHaveLength(640);
  });

  it('counts a payload type that was not negotiated only from a known source', () => {
    const line = Line.agreed();
    line.hear(1, { payloadType: 77 });
    expect(line.leg.snapshot().received.packets).toBe(0);
    line.hear(2);
    line.hear(3, { payloadType: 77 });
    line.hear(4);
    expect(line.leg.snapshot().received).toMatchObject({ packets: 3, packetsLost: 0 });
    expect(line.frames).toEqual([audio(2), audio(4)]);
  });

  it('counts lost and late packets', async () => {
    const line = Line.agreed();
    for (const sequence of [1, 2, 4]) line.hear(sequence);
    expect(line.leg.snapshot().received).toMatchObject({ packets: 3, packetsLost: 1, packetsDropped: 0 });
    await line.clock.advance(200);
    line.hear(2);
    expect(line.leg.snapshot().received).toMatchObject({ packets: 4, packetsLost: 0, packetsDropped: 1 });
    // The lost packet was concealed: four frames in all.
    expect(line.frames).toHaveLength(4);
  });
});

describe('RtpLeg sending', () => {
  it.each([
    ['sendrecv', true, true],
    ['sendonly', true, false],
    ['recvonly', false, true],
    ['inactive', false, false],
  ] as const)('follows the direction %s', (direction, isSending, isReceiving) => {
    const line = Line.agreed({ direction });
    line.leg.send(audio(1));
    expect([line.leg.sending, line.leg.receiving]).toEqual([isSending, isReceiving]);
    expect(line.packets).toHaveLength(isSending ? 1 : 0);
  });

  it('numbers its packets, and marks the first of a talkspurt', async () => {
    const line = Line.agreed({ payloadType: 0 });
    for (const value of [1, 2, 3]) {
      line.leg.send(audio(value));
      await line.clock.advance(20);
    }
    const [first, ...others] = line.packets;
    expect(first).toMatchObject({ marker: true, payloadType: 0, sequence: 0x0102, timestamp: 0x03040506 });
    expect(first).toMatchObject({ ssrc: line.leg.ssrc, payload: audio(1) });
    expect(others.map(({ marker, sequence, timestamp }) => [marker, sequence, timestamp])).toEqual([
      [false, 0x0103, 0x03040506 + 160],
      [false, 0x0104, 0x03040506 + 320],
    ]);
    expect(line.sent.every(({ to }) => to.address === '192.0.2.1' && to.port === 5_000)).toBe(true);
  });

  it('splits a frame if the far end takes packets of 10 ms only', () => {
    const line = Line.agreed({ packetMs: 10 });
    line.leg.send(Uint8Array.from({ length: 160 }, (_, i) => i));
    const [first, second] = line.packets;
    expect([first?.payload.length, second?.payload.length]).toEqual([80, 80]);
    expect([first?.payload[0], second?.payload[0]]).toEqual([0, 80]);
    expect((second?.timestamp ?? 0) - (first?.timestamp ?? 0)).toBe(80);
  });

  it('encodes with the codec of the latest agreement', () => {
    const line = Line.agreed();
    line.leg.send(silentFrames.pcmu);
    line.leg.apply(agreed({ codec: audioCodecs.pcma, payloadType: 8 }));
    line.leg.send(silentFrames.pcmu);
    expect(line.packets.map(({ payloadType }) => payloadType)).toEqual([0, 8]);
    const spoken = decodeG711('pcma', line.packets[1]?.payload ?? new Uint8Array(0));
    expect(spoken.every((sample) => Math.abs(sample) <= 16)).toBe(true);
  });

  it('sends where the far end sends from', async () => {
    const line = Line.agreed();
    await line.clock.advance(500);
    for (const sequence of [1, 2, 3]) line.hear(sequence, {}, nearby);
    line.leg.send(audio(1));
    expect(line.sent.at(-1)?.to).toEqual(nearby);
  });

  it('sends to the address of a new description at once', () => {
    const line = Line.agreed();
    line.hear(1);
    line.leg.apply(agreed({ remote: stranger }));
    line.leg.send(audio(1));
    expect(line.sent.at(-1)?.to).toEqual(stranger);
  });

  it('keeps its destination when a description names none', () => {
    const line = Line.agreed();
    line.leg.apply(agreed({ remote: { address: '0.0.0.0', port: 9 } }));
    line.leg.send(audio(1));
    expect(line.sent.at(-1)?.to).toEqual(agreed().remote);
  });

  it('sends nothing to an address before it has sent, if audio for it is withheld', () => {
    const trust: MediaTrust = { mode: 'latch', signalling: null, isNatPlausible: false, unheard: 'withheld' };
    const line = Line.agreed({}, [], trust);
    line.leg.send(audio(1));
    expect(line.sent).toEqual([]);
    line.hear(1);
    line.leg.send(audio(2));
    expect(line.packets.map(({ payload }) => payload[0])).toEqual([2]);
  });
});

describe('RtpLeg with encryption', () => {
  const key = (seed: number): Uint8Array => Uint8Array.from({ length: 30 }, (_, i) => (i * 7 + seed) & 0xff);
  const secured = (local: number, remote: number): Partial<Agreement> => ({
    security: {
      tag: 1,
      suite: 'AES_CM_128_HMAC_SHA1_80',
      localKey: key(local),
      remoteKey: key(remote),
      remoteMkiBytes: 0,
    },
  });

  it('exchanges frames with a leg that has the keys', () => {
    const near = Line.agreed(secured(1, 2));
    const far = Line.agreed(secured(2, 1));
    near.onSent = (bytes) => far.receive(bytes);
    for (const value of [1, 2]) near.leg.send(audio(value));
    expect(far.frames).toEqual([audio(1), audio(2)]);
    expect(near.packets[0]?.payload).not.toEqual(audio(1));
    expect(near.sent[0]?.bytes).toHaveLength(12 + 160 + 10);
  });

  it('refuses plain packets, packets of another key and repeated ones', () => {
    const near = Line.agreed(secured(1, 2));
    const far = Line.agreed(secured(2, 3));
    near.onSent = (bytes) => far.receive(bytes);
    near.leg.send(audio(1));
    far.hear(1);
    expect(far.frames).toEqual([]);
    expect(far.leg.aliveAtMs).toBe(0);
    far.leg.apply(agreed(secured(2, 1)));
    const [packet] = near.sent;
    if (packet === undefined) throw new Error('Nothing was sent.');
    far.receive(packet.bytes);
    far.receive(packet.bytes);
    expect(far.frames).toEqual([audio(1)]);
    expect(far.leg.snapshot().received.packets).toBe(1);
  });
});

describe('RtpLeg with RTCP', () => {
  const report = (ssrc: number): Uint8Array =>
    writeRtcp({
      ssrc: 77,
      cname: 'far',
      sender: null,
      report: {
        ssrc,
        fractionLost: 0,
        packetsLost: 7,
        highestSequence: 100,
        jitter: 160,
        lastReport: 0,
        delay: 0,
      },
      goodbye: false,
    });

  it('shows what the far end reports about the packets sent', async () => {
    const line = Line.agreed();
    await line.clock.advance(1_000);
    line.receive(report(line.leg.ssrc));
    expect(await line.leg.statistics()).toMatchObject({
      sent: { packets: 0, packetsLost: 7, jitterMs: 20 },
      roundTripMs: null,
    });
    expect(line.leg.aliveAtMs).toBe(1_000);
  });

  it.each([
    ['from another address', stranger],
    ['from another port of its address', nearby],
  ])('decides by the address alone whether to accept a report %s', async (_, from) => {
    const line = Line.agreed();
    await line.clock.advance(1_000);
    line.receive(report(line.leg.ssrc), from);
    const isFarEnd = from.address === agreed().remote.address;
    expect(line.leg.snapshot().sent.packetsLost).toBe(isFarEnd ? 7 : null);
    expect(line.leg.aliveAtMs).toBe(isFarEnd ? 1_000 : 0);
  });

  it('ignores a report about another stream', () => {
    const line = Line.agreed();
    line.receive(report(line.leg.ssrc + 1));
    expect(line.leg.snapshot().sent.packetsLost).toBeNull();
  });

  it('reports regularly, and says goodbye when it closes', async () => {
    const line = Line.agreed();
    line.hear(1);
    line.leg.send(audio(1));
    await line.clock.advance(10_000);
    const [first] = line.reports;
    expect(parseRtcp(first ?? new Uint8Array(0))).toMatchObject({
      ssrc: line.leg.ssrc,
      sender: { packets: 1, octets: 160 },
      reports: [{ ssrc: 77, packetsLost: 0 }],
      goodbye: false,
    });
    line.leg.close();
    expect(parseRtcp(line.reports.at(-1) ?? new Uint8Array(0))?.goodbye).toBe(true);
  });
});

describe('RtpLeg after its close', () => {
  it('is silent, and has freed its transport and timers', async () => {
    const line = Line.agreed();
    line.hear(1);
    line.hear(3);
    line.leg.close();
    const sent = line.sent.length;
    line.leg.send(audio(1));
    line.leg.close();
    await line.clock.advance(60_000);
    expect(line.isClosed).toBe(true);
    expect(line.frames).toHaveLength(1);
    expect(line.sent).toHaveLength(sent);
    expect(line.clock.pending).toBe(0);
    expect(line.leg.port).toBe(0);
  });
});
