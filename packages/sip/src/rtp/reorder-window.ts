import type { Clock } from '@va/core';
import { TimerSlot } from '../transaction/timers.ts';
import type { RtpPacket } from './packet.ts';

/** A missing packet is waited for until this many later ones are there … */
const maxWaiting = 3;
/** … or this time has passed. */
const maxWaitMs = 60;
/** A packet this far behind is no straggler but a sender that began anew. */
const maxMisorder = 100;
/** As many packets in a row from behind show it. @see RFC 3550 appendix A.1 */
const restartAfter = 2;

export interface ReorderListener {
  onPacket(packet: RtpPacket): void;
  onLost(packets: number): void;
  /** Another source, or the same one with new numbers. */
  onRestart(): void;
}

/** How far `to` is ahead of `from` in 16-bit sequence numbers; negative when behind. */
export function sequenceDistance(from: number, to: number): number {
  return ((to - from) << 16) >> 16;
}

/**
 * Brings packets into order without delaying those that are: what comes in order is handed on in the same turn, a gap
 * holds back at most three packets for at most 60 ms, and duplicates and stragglers are dropped.
 */
export class ReorderWindow {
  readonly #listener: ReorderListener;
  readonly #timeout: TimerSlot;
  /** By sequence number; never more than `maxWaiting`. */
  readonly #waiting = new Map<number, RtpPacket>();
  #ssrc: number | null = null;
  #next = 0;
  #restartAt = -1;
  #restartCount = 0;

  constructor(clock: Clock, listener: ReorderListener) {
    this.#listener = listener;
    this.#timeout = new TimerSlot(clock);
  }

  push(packet: RtpPacket): void {
    if (packet.ssrc !== this.#ssrc) this.#restart(packet);
    const distance = sequenceDistance(this.#next, packet.sequence);
    if (distance === 0) {
      this.#restartCount = 0;
      this.#deliver(packet);
      this.#drain();
    } else if (distance > 0) this.#hold(packet);
    else if (distance < -maxMisorder) this.#suspectRestart(packet);
  }

  close(): void {
    this.#timeout.clear();
    this.#waiting.clear();
  }

  #hold(packet: RtpPacket): void {
    this.#waiting.set(packet.sequence, packet);
    if (this.#waiting.size >= maxWaiting) this.#giveUp();
    else if (this.#waiting.size === 1) this.#timeout.set(maxWaitMs, () => this.#giveUp());
  }

  /** Declares lost what lies before the first waiting packet, and goes on from there. */
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
    else this.#timeout.set(maxWaitMs, () => this.#giveUp());
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
