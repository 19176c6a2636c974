import { sequenceDistance } from './jitter-buffer.ts';
import type { RtpPacket } from './packet.ts';

/** A packet this far ahead or behind is of another count, unless the source goes on with it. */
const maxJump = 3_000;
const sequences = 0x10000;

/** What a report says of how a source is received. @see RFC 3550 §6.4.1 */
export interface ReceptionReport {
  readonly ssrc: number;
  /** Since the last report, in 1/256. */
  readonly fractionLost: number;
  readonly packetsLost: number;
  readonly highestSequence: number;
  /** In units of the timestamp. */
  readonly jitter: number;
}

/**
 * Counts what comes from the far end, and how evenly. Of packets that come twice one makes up for another that is lost,
 * as the RFC counts.
 * @see RFC 3550 §6.4.1, appendices A.1, A.3 and A.8
 */
export class Reception {
  #ssrc: number | null = null;
  #first = 0;
  /** The highest sequence number, and with it how often the numbers have wrapped. */
  #highest = 0;
  #received = 0;
  /** Of the sources before this one. */
  #receivedBefore = 0;
  #lostBefore = 0;
  #expectedAtReport = 0;
  #receivedAtReport = 0;
  #clockRateHz = 8_000;
  #transitMs = 0;
  #hasTransit = false;
  #jitterMs = 0;

  /** Null before anything has come. */
  get ssrc(): number | null {
    return this.#ssrc;
  }

  get packetsReceived(): number {
    return this.#receivedBefore + this.#received;
  }

  get packetsLost(): number {
    return this.#lostBefore + Math.max(0, this.#expected - this.#received);
  }

  /** How unevenly packets come: the mean deviation of the time that they are under way. */
  get jitterMs(): number {
    return this.#jitterMs;
  }

  /**
   * @param clockRateHz of the timestamp, where it tells when the packet was made; null for telephone events, whose
   * packets all have that of the event's beginning
   */
  count(packet: RtpPacket, clockRateHz: number | null, nowMs: number): void {
    const ahead = sequenceDistance(this.#highest & 0xffff, packet.sequence);
    if (packet.ssrc !== this.#ssrc || Math.abs(ahead) > maxJump) this.#restart(packet);
    else if (ahead > 0) this.#highest += ahead;
    this.#received += 1;
    if (clockRateHz !== null) this.#measure(packet, clockRateHz, nowMs);
  }

  /** Null before anything has come. The next report counts from here. */
  report(): ReceptionReport | null {
    if (this.#ssrc === null) return null;
    const expected = this.#expected - this.#expectedAtReport;
    const lost = expected - (this.#received - this.#receivedAtReport);
    this.#expectedAtReport = this.#expected;
    this.#receivedAtReport = this.#received;
    return {
      ssrc: this.#ssrc,
      fractionLost: expected <= 0 || lost <= 0 ? 0 : Math.min(255, Math.floor((lost * 256) / expected)),
      packetsLost: this.#expected - this.#received,
      highestSequence: this.#highest,
      jitter: Math.floor((this.#jitterMs * this.#clockRateHz) / 1_000),
    };
  }

  get #expected(): number {
    return this.#ssrc === null ? 0 : this.#highest - this.#first + 1;
  }

  #restart(packet: RtpPacket): void {
    this.#lostBefore = this.packetsLost;
    this.#receivedBefore = this.packetsReceived;
    this.#ssrc = packet.ssrc;
    // A packet from before the first one must not make the highest number negative.
    this.#first = sequences + packet.sequence;
    this.#highest = this.#first;
    this.#received = 0;
    this.#expectedAtReport = 0;
    this.#receivedAtReport = 0;
    this.#hasTransit = false;
  }

  #measure(packet: RtpPacket, clockRateHz: number, nowMs: number): void {
    const sentMs = (packet.timestamp / clockRateHz) * 1_000;
    const transitMs = nowMs - sentMs;
    const wrapMs = (2 ** 32 / clockRateHz) * 1_000;
    let differenceMs = Math.abs(transitMs - this.#transitMs);
    differenceMs = Math.min(differenceMs, Math.abs(wrapMs - differenceMs));
    // After a pause the timestamps of some begin anew: that is not the network's doing.
    const comparable = this.#hasTransit && clockRateHz === this.#clockRateHz && !packet.marker;
    if (comparable) this.#jitterMs += (differenceMs - this.#jitterMs) / 16;
    this.#transitMs = transitMs;
    this.#clockRateHz = clockRateHz;
    this.#hasTransit = true;
  }
}
