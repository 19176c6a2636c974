import type { Clock } from '../runtime/clock.ts';
import { TimerSlot } from '../runtime/timer-slot.ts';
import type { RtpPacket } from './packet.ts';

/** How long a missing packet is waited for, while nothing is known of the network. */
const defaultPatienceMs = 60;
/** Later packets stand for as much time: those of most senders hold 20 ms. */
const packetMs = 20;
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
 * holds back later packets for as long as the network gives reason to, and duplicates and stragglers are dropped.
 */
export class JitterBuffer {
  readonly #listener: ReorderListener;
  readonly #timeout: TimerSlot;
  readonly #patienceMs: () => number;
  /** By sequence number; no more than come in the time that is waited. */
  readonly #waiting = new Map<number, RtpPacket>();
  #ssrc: number | null = null;
  #next = 0;
  #restartAt = -1;
  #restartCount = 0;

  /** Packets that came too late or twice. */
  dropped = 0;

  /** @param patienceMs how long a missing packet is to be waited for, as things are */
  constructor(clock: Clock, listener: ReorderListener, patienceMs: () => number = () => defaultPatienceMs) {
    this.#listener = listener;
    this.#patienceMs = patienceMs;
    this.#timeout = new TimerSlot(clock);
  }

  push(packet: RtpPacket): void {
    if (packet.ssrc !== this.#ssrc) this.#restart(packet);
    const distance = sequenceDistance(this.#next, packet.sequence);
    if (distance === 0) {
      this.#restartCount = 0;
      this.#deliver(packet);
      if (this.#waiting.size > 0) this.#drain();
    } else if (distance > 0) this.#hold(packet);
    else if (distance < -maxMisorder) this.#suspectRestart(packet);
    else this.dropped += 1;
  }

  close(): void {
    this.#timeout.clear();
    this.#waiting.clear();
  }

  #hold(packet: RtpPacket): void {
    if (this.#waiting.has(packet.sequence)) this.dropped += 1;
    this.#waiting.set(packet.sequence, packet);
    const patienceMs = this.#patienceMs();
    if (this.#waiting.size >= Math.round(patienceMs / packetMs)) this.#giveUp();
    else if (this.#waiting.size === 1) this.#timeout.set(patienceMs, () => this.#giveUp());
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
    else this.#timeout.set(this.#patienceMs(), () => this.#giveUp());
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
