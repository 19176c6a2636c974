import type { Clock } from '@va/core/adapter';
import { TimerSlot } from '@va/media';
import { type RecordKeys, recordHeader, sealRecord } from './record.ts';

/** Maximum datagram size, which fits the MTU of every network that WebRTC supports. */
const maxDatagramBytes = 1_200;
/**
 * Timeout before the first retransmission. It is less than the 1 s of RFC 6347 §4.2.4.1, as RFC 9147 §5.8.2 recommends
 * for peers with a known short round trip.
 */
const firstRetransmissionMs = 250;
const maxRetransmissions = 5;
/** Maximum number of repetitions that the receiver can trigger, so that forged requests cannot flood it. */
const maxRequested = 10;

/** A record of a flight, before encryption. */
export interface FlightRecord {
  readonly type: number;
  readonly epoch: 0 | 1;
  readonly payload: Uint8Array;
}

/** Sends flights of the server and retransmits unanswered ones. */
export class FlightSender {
  readonly #send: (datagram: Buffer) => void;
  readonly #timer: TimerSlot;
  readonly #sequences: [number, number] = [0, 0];
  #flight: readonly FlightRecord[] = [];
  #requested = 0;
  keys: RecordKeys | null = null;

  constructor(clock: Clock, send: (datagram: Buffer) => void) {
    this.#send = send;
    this.#timer = new TimerSlot(clock);
  }

  /** Sends a flight that is retransmitted only if the client retransmits its own. */
  send(flight: readonly FlightRecord[]): void {
    this.#timer.clear();
    this.#flight = flight;
    this.#requested = 0;
    this.#transmit();
  }

  /** Sends a flight and retransmits it until the next one; calls `onGivenUp` after the last retransmission. */
  sendUntilAnswered(flight: readonly FlightRecord[], onGivenUp: () => void): void {
    this.send(flight);
    this.#repeatLater(firstRetransmissionMs, maxRetransmissions, onGivenUp);
  }

  /** Retransmits the last flight because the client retransmitted its own. */
  repeatOnRequest(): void {
    this.#requested += 1;
    if (this.#requested <= maxRequested) this.#transmit();
  }

  /** Sends one record without retransmission. */
  sendOnce(record: FlightRecord): void {
    this.#send(this.#encode(record));
  }

  close(): void {
    this.#timer.clear();
  }

  #transmit(): void {
    let datagram: Buffer[] = [];
    let size = 0;
    for (const record of this.#flight) {
      const bytes = this.#encode(record);
      if (size > 0 && size + bytes.length > maxDatagramBytes) {
        this.#send(Buffer.concat(datagram));
        datagram = [];
        size = 0;
      }
      datagram.push(bytes);
      size += bytes.length;
    }
    if (size > 0) this.#send(Buffer.concat(datagram));
  }

  #repeatLater(delayMs: number, left: number, onGivenUp: () => void): void {
    this.#timer.set(delayMs, () => {
      if (left === 0) {
        onGivenUp();
        return;
      }
      this.#transmit();
      this.#repeatLater(2 * delayMs, left - 1, onGivenUp);
    });
  }

  /** Encodes a record under a new sequence number, which a retransmitted record needs too. */
  #encode({ type, epoch, payload }: FlightRecord): Buffer {
    const sequence = this.#sequences[epoch];
    this.#sequences[epoch] += 1;
    if (epoch === 1 && this.keys !== null) return sealRecord(this.keys, type, epoch, sequence, payload);
    return Buffer.concat([recordHeader(type, epoch, sequence, payload.length), payload]);
  }
}
