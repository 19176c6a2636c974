import type { RtpPacket } from '../packet/rtp-packet.ts';
import type { Clock } from '../runtime/clock.ts';
import { TimerSlot } from '../runtime/timer-slot.ts';

/** Default of the delay for a missing packet. */
const defaultDelayMs = 60;
/** Assumed duration of later packets: most senders use 20 ms. */
const packetMs = 20;
/** A packet this far behind or ahead means that the sender has restarted, or that the packet is a stray one. */
const maxMisorder = 100;
const maxDropout = 3_000;
/** Number of consecutive packets that prove a restart. @see RFC 3550 appendix A.1 */
const restartAfter = 2;

export interface JitterBufferListener {
  onPacket(packet: RtpPacket): void;
  onLost(packets: number): void;
  /** Called for another source, or the same one with new sequence numbers. */
  onRestart(): void;
}

/** Returns how far `to` is ahead of `from` in 16-bit sequence numbers; negative if behind. */
export function sequenceDistance(from: number, to: number): number {
  return ((to - from) << 16) >> 16;
}

/**
 * Reorders packets. Packets in order are passed on at once; a gap delays later packets by a time that depends on the
 * jitter; duplicates and late packets are dropped.
 */
export class JitterBuffer {
  readonly #listener: JitterBufferListener;
  readonly #timeout: TimerSlot;
  readonly #delayMs: () => number;
  /** Waiting packets by sequence number; at most those that arrive within the delay. */
  readonly #waiting = new Map<number, RtpPacket>();
  #ssrc: number | null = null;
  #next = 0;
  #restartAt = -1;
  #restartCount = 0;

  /** Number of late and duplicate packets. */
  dropped = 0;

  /** @param delayMs current delay for a missing packet */
  constructor(clock: Clock, listener: JitterBufferListener, delayMs: () => number = () => defaultDelayMs) {
    this.#listener = listener;
    this.#delayMs = delayMs;
    this.#timeout = new TimerSlot(clock);
  }

  push(packet: RtpPacket): void {
    if (packet.ssrc !== this.#ssrc) this.#restart(packet);
    const distance = sequenceDistance(this.#next, packet.sequence);
    if (distance === 0) {
      this.#restartCount = 0;
      this.#deliver(packet);
      if (this.#waiting.size > 0) this.#drain();
    } else if (distance < -maxMisorder || distance > maxDropout) this.#suspectRestart(packet);
    else if (distance > 0) this.#hold(packet);
    else this.dropped += 1;
  }

  close(): void {
    this.#timeout.clear();
    this.#waiting.clear();
  }

  #hold(packet: RtpPacket): void {
    if (this.#waiting.has(packet.sequence)) this.dropped += 1;
    this.#waiting.set(packet.sequence, packet);
    const delayMs = this.#delayMs();
    if (this.#waiting.size >= Math.round(delayMs / packetMs)) this.#giveUp();
    else if (this.#waiting.size === 1) this.#timeout.set(delayMs, () => this.#giveUp());
  }

  /** Reports the packets before the first waiting one as lost, and delivers from that one on. */
  #giveUp(): void {
    let lost = Number.POSITIVE_INFINITY;
    for (const sequence of this.#waiting.keys()) lost = Math.min(lost, sequenceDistance(this.#next, sequence));
    if (!Number.isFinite(lost)) return;
    this.#listener.onLost(lost);
    this.#next = (this.#next + lost) & 0xffff;
    this.#drain();
  }

  #drain(): void {
    for (let packet = this.#waiting.get(this.#next); packet !== undefined; packet = this.#waiting.get(this.#next)) {
      this.#waiting.delete(this.#next);
      this.#deliver(packet);
    }
    if (this.#waiting.size === 0) this.#timeout.clear();
    else this.#timeout.set(this.#delayMs(), () => this.#giveUp());
  }

  #deliver(packet: RtpPacket): void {
    this.#next = (packet.sequence + 1) & 0xffff;
    this.#listener.onPacket(packet);
  }

  #suspectRestart(packet: RtpPacket): void {
    this.#restartCount = packet.sequence === this.#restartAt ? this.#restartCount + 1 : 1;
    this.#restartAt = (packet.sequence + 1) & 0xffff;
    if (this.#restartCount < restartAfter) return;
    this.#restart(packet);
    this.#deliver(packet);
  }

  #restart(packet: RtpPacket): void {
    this.close();
    this.#ssrc = packet.ssrc;
    this.#next = packet.sequence;
    this.#restartCount = 0;
    this.#listener.onRestart();
  }
}
