import { describe, expect, it } from 'vitest';
import { parseRtp, type RtpPacket } from '../../src/packet/rtp-packet.ts';
import { RtpSender } from '../../src/rtp/rtp-sender.ts';

const frame = new Uint8Array(160);

function read(bytes: Uint8Array | null): RtpPacket {
  const packet = bytes && parseRtp(bytes);
  if (!packet) throw new Error('expected an RTP packet');
  return packet;
}

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
