import { describe, expect, it } from 'vitest';
import { parseRtp, type RtpPacket } from '../../src/packet/rtp-packet.ts';
import { RtpSender } from '../../src/rtp/rtp-sender.ts';

const frame = new Uint8Array(160);

function read(bytes: Uint8Array | null): RtpPacket {
  const packet = bytes && parseRtp(bytes);
  if (!packet) throw new Error('expected an RTP packet');
  return packet;
}

const zeros = (count: number): Uint8Array => new Uint8Array(count);
const payloadOf = (value: number, bytes = 160): Uint8Array => new Uint8Array(bytes).fill(value);
const event = (durationMs: number, changes: { first?: boolean; end?: boolean; digit?: string } = {}) => ({
  digit: '1',
  durationMs,
  first: false,
  end: false,
  ...changes,
});

describe('the RTP sender', () => {
  it('counts packets and samples from a random start, over both wraps', () => {
    const sender = new RtpSender((count) => new Uint8Array(count).fill(0xff));
    const packets = [0, 20, 40].map((ms) => read(sender.frame(0, frame, ms)));
    expect(packets.map((each) => each.sequence)).toEqual([65_535, 0, 1]);
    expect(packets.map((each) => each.timestamp)).toEqual([4_294_967_295, 159, 319]);
    expect(packets.map((each) => each.marker)).toEqual([true, false, false]);
    expect(new Set(packets.map((each) => each.ssrc))).toEqual(new Set([4_294_967_295]));
  });

  it('keeps timestamps evenly spaced when late ticks are caught up', () => {
    const sender = new RtpSender((count) => new Uint8Array(count));
    const times = [0, 20, 240, 240, 240, 240, 245, 260];
    const packets = times.map((ms) => read(sender.frame(0, frame, ms)));
    expect(packets.map((each) => each.timestamp / 160)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('follows the clock after a pause, and sets the marker', () => {
    const sender = new RtpSender((count) => new Uint8Array(count));
    read(sender.frame(0, frame, 0));
    const after = read(sender.frame(0, frame, 5_000));
    expect(after).toMatchObject({ sequence: 1, marker: true, timestamp: 4_800 * 8 });
  });

  it('gives all packets of an event the timestamp of its start', () => {
    const sender = new RtpSender((count) => new Uint8Array(count));
    read(sender.frame(0, frame, 0));
    const packets = [20, 40, 60].map((ms) =>
      read(sender.event(101, { digit: '7', durationMs: ms, first: ms === 20, end: ms === 60 }, ms)),
    );
    expect(packets.map((each) => each.timestamp)).toEqual([160, 160, 160]);
    expect(packets.map((each) => each.marker)).toEqual([true, false, false]);
    expect(read(sender.frame(0, frame, 80)).timestamp).toBe(640);
    expect(sender.event(101, { digit: '?', durationMs: 20, first: true, end: false }, 100)).toBeNull();
  });

  it('counts in the clock rate of the codec and continues when the rate changes', () => {
    const sender = new RtpSender((count) => new Uint8Array(count));
    const at = (ms: number): number => read(sender.frame(0, frame, ms)).timestamp;
    expect([at(0), at(20)]).toEqual([0, 160]);
    sender.useClockRate(48_000);
    expect([at(40), at(60)]).toEqual([320, 1_280]);
    expect(sender.timestampAt(80)).toBe(2_240);
    sender.useClockRate(8_000);
    expect(at(80)).toBe(2_240);
    expect([sender.packets, sender.octets]).toEqual([5, 800]);
  });

  it('sends event durations in the event clock rate, segmented when they are too long', () => {
    const sender = new RtpSender((count) => new Uint8Array(count));
    sender.useClockRate(48_000);
    const told = [20, 1_360, 1_380, 3_000].map((durationMs) => {
      const first = durationMs === 20;
      const packet = read(sender.event(102, { digit: '7', durationMs, first, end: false }, 0, 48_000));
      return [packet.timestamp, ((packet.payload[2] ?? 0) << 8) | (packet.payload[3] ?? 0)];
    });
    // A segment has 68 frames of 960 units.
    expect(told).toEqual([
      [0, 960],
      [0, 65_280],
      [65_280, 960],
      [130_560, 13_440],
    ]);
  });
});

describe('the packets of an RTP sender', () => {
  it('keep their bytes until the one after the next', () => {
    const sender = new RtpSender(zeros);
    const first = sender.frame(0, payloadOf(1), 0);
    const second = sender.frame(0, payloadOf(2), 20);
    expect([first[12], second[12]]).toEqual([1, 2]);
    const third = sender.frame(0, payloadOf(3), 40);
    expect(third).toBe(first);
    expect([second[12], third[12]]).toEqual([2, 3]);
  });

  it('have their own length, also after one of another length', () => {
    const sender = new RtpSender(zeros);
    const lengths = [160, 20, 160, 4, 80].map((bytes, n) => {
      const packet = parseRtp(sender.frame(0, payloadOf(n, bytes), n * 20));
      return packet?.payload.every((byte) => byte === n) === true ? packet.payload.length : null;
    });
    expect(lengths).toEqual([160, 20, 160, 4, 80]);
  });

  it('have room at their end for encryption', () => {
    const sender = new RtpSender(zeros);
    sender.roomBytes = 10;
    expect(sender.frame(0, payloadOf(1), 0)).toHaveLength(12 + 160 + 10);
    sender.roomBytes = 0;
    expect(sender.frame(0, payloadOf(1), 20)).toHaveLength(12 + 160);
    expect(sender.octets).toBe(320);
  });

  it('advance the time by the samples of their frame', () => {
    const sender = new RtpSender(zeros);
    const timestamps = [80, 80, 160].map((samples) => parseRtp(sender.frame(0, payloadOf(1), 0, samples))?.timestamp);
    expect(timestamps).toEqual([0, 80, 160]);
  });

  it.each([
    [250, false],
    [251, true],
  ])('after %i ms without one begin a talkspurt: %s', (ms, marker) => {
    const sender = new RtpSender(zeros);
    sender.frame(0, payloadOf(1), 0);
    // The first frame has taken 20 ms.
    expect(parseRtp(sender.frame(0, payloadOf(1), 20 + ms))?.marker).toBe(marker);
  });
});

describe('the events of an RTP sender', () => {
  it('do not count for a digit that does not exist', () => {
    const sender = new RtpSender(zeros);
    expect(sender.event(101, event(20, { first: true, digit: 'X' }), 0)).toBeNull();
    expect([sender.packets, parseRtp(sender.frame(0, payloadOf(1), 0))?.sequence]).toEqual([0, 0]);
  });

  it('continue in a segment at the end of the one before (RFC 4733 §2.5.1.3)', () => {
    const sender = new RtpSender(zeros);
    const durationOf = (ms: number, first = false) => {
      const packet = parseRtp(sender.event(101, event(ms, { first }), 0) ?? new Uint8Array(0));
      return [packet?.timestamp, ((packet?.payload[2] ?? 0) << 8) | (packet?.payload[3] ?? 0)];
    };
    // 409 frames of 160 units are the most below 2¹⁶.
    expect(durationOf(8_180, true)).toEqual([0, 65_440]);
    expect(durationOf(8_200)).toEqual([65_440, 160]);
  });
});
