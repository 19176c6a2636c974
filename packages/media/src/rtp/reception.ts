import type { RtpPacket } from '../packet/rtp-packet.ts';
import { sequenceDistance } from './jitter-buffer.ts';

/** Maximum jump of the sequence number, in packets. A larger one restarts the counts, as a new SSRC does. */
const maxJump = 3_000;
/** A larger change of the transit time means that the sender restarted its timestamps; no network delays that much. */
const maxTransitChangeMs = 10_000;

/** Reception report about a source. @see RFC 3550 §6.4.1 */
export interface ReceptionReport {
  readonly ssrc: number;
  /** Share of packets lost since the last report, in 1/256. */
  readonly fractionLost: number;
  readonly packetsLost: number;
  readonly highestSequence: number;
  /** Interarrival jitter in units of the timestamp. */
  readonly jitter: number;
}

/**
 * Reception statistics of the far end's packets: counts and jitter. As in the RFC, a duplicate compensates for a lost
 * packet.
 * @see RFC 3550 §6.4.1, appendices A.1, A.3 and A.8
 */
export class Reception {
  #ssrc: number | null = null;
  #first = 0;
  /** Highest sequence number, extended by the number of wrap-arounds in the upper bits. */
  #highest = 0;
  #received = 0;
  /** Counts of earlier sources. */
  #receivedBefore = 0;
  #lostBefore = 0;
  #expectedAtReport = 0;
  #receivedAtReport = 0;
  #clockRateHz = 8_000;
  #transitMs = 0;
  #hasTransit = false;
  #jitterMs = 0;

  /** Null before the first packet. */
  get ssrc(): number | null {
    return this.#ssrc;
  }

  get packetsReceived(): number {
    return this.#receivedBefore + this.#received;
  }

  get packetsLost(): number {
    return this.#lostBefore + Math.max(0, this.#expected - this.#received);
  }

  /** Interarrival jitter: mean deviation of the transit time. */
  get jitterMs(): number {
    return this.#jitterMs;
  }

  /**
   * @param clockRateHz clock rate of the timestamp; null leaves the packet out of the jitter, as for telephone events,
   *   whose packets all have the timestamp of the event's start
   */
  count(packet: RtpPacket, clockRateHz: number | null, nowMs: number): void {
    const ahead = sequenceDistance(this.#highest & 0xffff, packet.sequence);
    if (packet.ssrc !== this.#ssrc || Math.abs(ahead) > maxJump) this.#restart(packet);
    else if (ahead > 0) this.#highest += ahead;
    this.#received += 1;
    if (clockRateHz !== null) this.#measure(packet, clockRateHz, nowMs);
  }

  /** Returns the current report, whose `fractionLost` counts from the last one; null before the first packet. */
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
    this.#first = packet.sequence;
    this.#highest = packet.sequence;
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
    // Some senders restart their timestamps after a pause; that is not jitter.
    const isContinued = !packet.marker && differenceMs <= maxTransitChangeMs;
    if (this.#hasTransit && clockRateHz === this.#clockRateHz && isContinued)
      this.#jitterMs += (differenceMs - this.#jitterMs) / 16;
    this.#transitMs = transitMs;
    this.#clockRateHz = clockRateHz;
    this.#hasTransit = true;
  }
}
