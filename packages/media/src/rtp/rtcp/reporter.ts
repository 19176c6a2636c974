import type { Clock } from '../../runtime/clock.ts';
import type { RandomBytes } from '../../runtime/random.ts';
import { TimerSlot } from '../../runtime/timer-slot.ts';
import type { Reception } from '../reception.ts';
import type { RtpSender } from '../rtp-sender.ts';
import { middleOfNtp, toNtp } from './ntp.ts';
import { parseRtcp, type ReportBlock, writeRtcp } from './packet.ts';

/** Minimum interval for two participants. @see RFC 3550 §6.2 */
const intervalMs = 5_000;
const unitsPerSecond = 65_536;
/** A longer round trip is an error of the far end's report, or a change of the system's time. */
const maxRoundTripMs = 60_000;
/** 96 bits make the CNAME unique. @see RFC 7022 §4.2 */
const cnameBytes = 12;

export interface RtcpReporterOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly sender: RtpSender;
  readonly reception: Reception;
  readonly clockRateHz: () => number;
  readonly send: (packet: Uint8Array) => void;
}

/** The far end's report about our stream. */
export interface RemoteReception {
  readonly packetsLost: number;
  readonly jitterMs: number;
}

/**
 * Sends and receives RTCP reports.
 * @see RFC 3550 §6
 */
export class RtcpReporter {
  readonly #options: RtcpReporterOptions;
  readonly #timer: TimerSlot;
  readonly #cname: string;
  #packetsAtReport = 0;
  #lastReport = 0;
  #lastReportAtMs = 0;
  #started = false;
  #remote: RemoteReception | null = null;
  #roundTripMs: number | null = null;

  constructor(options: RtcpReporterOptions) {
    this.#options = options;
    this.#timer = new TimerSlot(options.clock);
    this.#cname = Buffer.from(options.random(cnameBytes)).toString('base64');
  }

  get remote(): RemoteReception | null {
    return this.#remote;
  }

  /** Last measured round trip; null before the first. */
  get roundTripMs(): number | null {
    return this.#roundTripMs;
  }

  /** Starts reporting. The first report follows after half an interval (RFC 3550 §6.2). */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#schedule(intervalMs / 2);
  }

  /** Stops reporting and sends a BYE. */
  close(): void {
    this.#timer.clear();
    if (this.#started) this.#send(true);
    this.#started = false;
  }

  /** Processes an RTCP packet. Returns false if it is invalid. */
  receive(bytes: Uint8Array): boolean {
    const packet = parseRtcp(bytes);
    if (packet === null) return false;
    const { clock, sender, reception } = this.#options;
    if (packet.sender !== null && (reception.ssrc === null || packet.ssrc === reception.ssrc)) {
      this.#lastReport = middleOfNtp(packet.sender.ntpSeconds, packet.sender.ntpFraction);
      this.#lastReportAtMs = clock.nowMs();
    }
    for (const report of packet.reports) if (report.ssrc === sender.ssrc) this.#note(report);
    return true;
  }

  #note(report: ReportBlock): void {
    const { clock, clockRateHz } = this.#options;
    this.#remote = {
      packetsLost: Math.max(0, report.packetsLost),
      jitterMs: (report.jitter * 1_000) / clockRateHz(),
    };
    if (report.lastReport === 0) return;
    const { seconds, fraction } = toNtp(clock.wallMs());
    const units = (middleOfNtp(seconds, fraction) - report.lastReport - report.delay) | 0;
    const roundTripMs = (units * 1_000) / unitsPerSecond;
    // Clock granularity can make a very short round trip slightly negative.
    if (Math.abs(roundTripMs) <= maxRoundTripMs) this.#roundTripMs = Math.max(0, roundTripMs);
  }

  /** Schedules the next report after 0.5 to 1.5 times `baseMs`, so that reports of many calls do not coincide. */
  #schedule(baseMs: number): void {
    const [chance = 128] = this.#options.random(1);
    this.#timer.set(baseMs * (0.5 + chance / 256), () => {
      this.#schedule(intervalMs);
      this.#send(false);
    });
  }

  #send(goodbye: boolean): void {
    const { clock, sender, send } = this.#options;
    const nowMs = clock.nowMs();
    const hasSent = sender.packets > this.#packetsAtReport;
    this.#packetsAtReport = sender.packets;
    const { seconds, fraction } = toNtp(clock.wallMs());
    const info = {
      ntpSeconds: seconds,
      ntpFraction: fraction,
      timestamp: sender.timestampAt(nowMs),
      packets: sender.packets,
      octets: sender.octets,
    };
    send(
      writeRtcp({
        ssrc: sender.ssrc,
        cname: this.#cname,
        sender: hasSent ? info : null,
        report: this.#report(nowMs),
        goodbye,
      }),
    );
  }

  #report(nowMs: number): ReportBlock | null {
    const report = this.#options.reception.report();
    if (report === null) return null;
    const delay = this.#lastReport === 0 ? 0 : ((nowMs - this.#lastReportAtMs) * unitsPerSecond) / 1_000;
    return { ...report, lastReport: this.#lastReport, delay: Math.floor(delay) };
  }
}
