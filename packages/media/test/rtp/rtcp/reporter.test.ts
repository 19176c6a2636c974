import { VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseRtp } from '../../../src/packet/rtp-packet.ts';
import { Reception } from '../../../src/rtp/reception.ts';
import { middleOfNtp, toNtp } from '../../../src/rtp/rtcp/ntp.ts';
import { parseRtcp, type RtcpPacket, writeRtcp } from '../../../src/rtp/rtcp/packet.ts';
import { RtcpReporter } from '../../../src/rtp/rtcp/reporter.ts';
import { RtpSender } from '../../../src/rtp/rtp-sender.ts';

const frame = new Uint8Array(160);

/** One end of a call: its packets arrive at the other end after `delayMs`, unless `loses` is set. */
class End {
  readonly sender: RtpSender;
  readonly reception = new Reception();
  readonly reporter: RtcpReporter;
  readonly reports: RtcpPacket[] = [];
  peer: End | null = null;

  readonly clock: VirtualClock;
  readonly delayMs: number;

  constructor(clock: VirtualClock, seed: number, delayMs: number) {
    this.clock = clock;
    this.delayMs = delayMs;
    const random = (count: number) => new Uint8Array(count).fill(seed);
    this.sender = new RtpSender(random);
    const { sender, reception } = this;
    const send = (packet: Uint8Array): void => {
      const read = parseRtcp(packet);
      if (read !== null) this.reports.push(read);
      clock.setTimer(delayMs, () => this.peer?.reporter.receive(packet));
    };
    this.reporter = new RtcpReporter({ clock, random, sender, reception, clockRateHz: () => 8_000, send });
  }

  say(loses = false): void {
    const bytes = this.sender.frame(0, frame, this.clock.nowMs());
    if (loses) return;
    this.clock.setTimer(this.delayMs, () => {
      const packet = parseRtp(bytes);
      if (packet !== null) this.peer?.reception.count(packet, 8_000, this.clock.nowMs());
    });
  }
}

let clock: VirtualClock;
let near: End;
let far: End;

beforeEach(() => {
  clock = new VirtualClock();
  near = new End(clock, 1, 30);
  far = new End(clock, 128, 50);
  near.peer = far;
  far.peer = near;
  near.reporter.start();
  far.reporter.start();
});

async function talk(frames: number, loses: (frame: number) => boolean = () => false): Promise<void> {
  for (let i = 0; i < frames; i++) {
    near.say(loses(i));
    far.say();
    await clock.advance(20);
  }
}

describe('reports', () => {
  it('give each end the other’s reception quality and the round-trip time', async () => {
    await talk(1_000, (i) => i % 20 === 7);
    expect(near.reporter.remote?.packetsLost).toBeGreaterThan(30);
    expect(far.reporter.remote?.packetsLost).toBe(0);
    expect(near.reporter.roundTripMs).toBeCloseTo(80, 0);
    expect(far.reporter.roundTripMs).toBeCloseTo(80, 0);
    expect(near.reporter.remote?.jitterMs).toBeLessThan(1);
    const fractions = far.reports.flatMap(({ reports }) => reports.map((each) => each.fractionLost / 256));
    expect(fractions.at(-1)).toBeCloseTo(0.05, 1);
  });

  it('are sent about every five seconds, with sender information while sending, and end with a goodbye', async () => {
    await talk(1_000);
    expect(near.reports.length).toBeGreaterThanOrEqual(3);
    expect(near.reports.length).toBeLessThanOrEqual(8);
    expect(near.reports.every(({ sender, goodbye }) => sender !== null && !goodbye)).toBe(true);
    expect(near.reports.at(-1)?.sender).toMatchObject({ octets: (near.reports.at(-1)?.sender?.packets ?? 0) * 160 });
    await clock.advance(10_000);
    expect(near.reports.at(-1)?.sender).toBeNull();
    near.reporter.close();
    far.reporter.close();
    expect(near.reports.at(-1)?.goodbye).toBe(true);
    const { length } = near.reports;
    near.reporter.close();
    await clock.advance(60_000);
    expect(near.reports).toHaveLength(length);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['an hour ahead of our clock', 3_600],
    ['an hour behind our clock', -3_600],
    ['of another epoch', 20_000],
  ])('leave the round-trip time as it was for a report time %s', async (_, aheadSeconds) => {
    await talk(1_000);
    const before = near.reporter.roundTripMs;
    const { seconds, fraction } = toNtp(clock.wallMs());
    const lastReport = middleOfNtp(seconds + aheadSeconds, fraction);
    const block = { packetsLost: 0, fractionLost: 0, highestSequence: 0, jitter: 0, lastReport, delay: 0 };
    const report = { ...block, ssrc: near.sender.ssrc };
    near.reporter.receive(writeRtcp({ ssrc: far.sender.ssrc, cname: 'x', sender: null, report, goodbye: false }));
    expect(before).toBeGreaterThan(0);
    expect(near.reporter.roundTripMs).toBe(before);
  });

  it('about another source change nothing', async () => {
    await talk(100);
    const block = { packetsLost: 9, fractionLost: 9, highestSequence: 0, jitter: 800, lastReport: 1, delay: 0 };
    const report = { ...block, ssrc: near.sender.ssrc ^ 1 };
    near.reporter.receive(writeRtcp({ ssrc: far.sender.ssrc, cname: 'x', sender: null, report, goodbye: false }));
    expect([near.reporter.remote, near.reporter.roundTripMs]).toEqual([null, null]);
  });

  it('ignore malformed packets', () => {
    near.reporter.receive(new Uint8Array(40).fill(0x80));
    expect([near.reporter.remote, near.reporter.roundTripMs]).toEqual([null, null]);
  });
});
