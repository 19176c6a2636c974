import { describe, expect, it } from 'vitest';
import { parseRtp, type RtpPacket } from '../../src/rtp/packet.ts';
import { RtpSender } from '../../src/rtp/rtp-sender.ts';

const frame = new Uint8Array(160);

function read(bytes: Uint8Array | null): RtpPacket {
  const packet = bytes && parseRtp(bytes);
  if (!packet) throw new Error('This is no packet.');
  return packet;
}

describe('what is sent', () => {
  it('counts packets and samples from a random start, over both wraps', () => {
    const sender = new RtpSender((count) => new Uint8Array(count).fill(0xff));
    const packets = [0, 20, 40].map((ms) => read(sender.frame(0, frame, ms)));
    expect(packets.map((each) => each.sequence)).toEqual([65_535, 0, 1]);
    expect(packets.map((each) => each.timestamp)).toEqual([4_294_967_295, 159, 319]);
    expect(packets.map((each) => each.marker)).toEqual([true, false, false]);
    expect(new Set(packets.map((each) => each.ssrc))).toEqual(new Set([4_294_967_295]));
  });

  it('goes on evenly when ticks are late and made up for', () => {
    const sender = new RtpSender((count) => new Uint8Array(count));
    const times = [0, 20, 240, 240, 240, 240, 245, 260];
    const packets = times.map((ms) => read(sender.frame(0, frame, ms)));
    expect(packets.map((each) => each.timestamp / 160)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('keeps up with the clock after a pause, and marks the new beginning', () => {
    const sender = new RtpSender((count) => new Uint8Array(count));
    read(sender.frame(0, frame, 0));
    const after = read(sender.frame(0, frame, 5_000));
    expect(after).toMatchObject({ sequence: 1, marker: true, timestamp: 4_800 * 8 });
  });

  it('gives all packets of an event the timestamp of its beginning', () => {
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
});
