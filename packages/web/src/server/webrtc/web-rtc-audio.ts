import type { MediaLeg } from '@va/core/adapter';
import { type AudioFormat, type DtmfDigit, formatOf, type LegEncoding, type MediaStatistics } from '@va/media';
import { RateLimit } from '../rate-limit.ts';
import { OfferError } from './sdp/offer.ts';
import { type AcceptedOffer, acceptOffer, WebRtcConnection, type WebRtcSetup } from './web-rtc-connection.ts';

/** Rate limit of offers per call. A page makes a new one after a lost network. */
const offerRate = { perSecond: 0.2, burst: 5 };

export interface WebRtcAudioListener {
  /** A connection was established, either the first or a replacement. */
  onConnected(): void;
  /** The far end closed its connection. */
  onClosed(): void;
  /** A connection could not be established. */
  onFailed(reason: string): void;
}

/** The leg of a web call over WebRTC. Its connection can be replaced by another one. */
export class WebRtcAudio implements MediaLeg {
  readonly format: AudioFormat;
  readonly receiving = true;
  readonly #setup: WebRtcSetup;
  readonly #encoding: LegEncoding;
  readonly #listener: WebRtcAudioListener;
  readonly #offers: RateLimit;
  #pending: WebRtcConnection | null = null;
  #current: WebRtcConnection | null = null;
  #onFrame: ((frame: Uint8Array | null) => void) | null = null;
  #onDtmf: ((digit: DtmfDigit) => void) | null = null;
  /** Time at which the last connection was closed; before the first one, the time of construction. */
  #closedAtMs: number;
  /** Statistics of previous connections. */
  #before: MediaStatistics | null = null;

  /** @param encoding of the call, independent of the codec of a connection */
  constructor(setup: WebRtcSetup, encoding: LegEncoding, listener: WebRtcAudioListener) {
    this.format = formatOf(encoding);
    this.#encoding = encoding;
    this.#setup = setup;
    this.#listener = listener;
    this.#offers = new RateLimit(setup.clock, offerRate);
    this.#closedAtMs = setup.clock.nowMs();
  }

  /**
   * Answers an offer. Its connection replaces the current one once it is established.
   * @throws OfferError
   */
  answer(text: string): string {
    if (!this.#offers.take()) throw new OfferError('unacceptable', 'The call has had too many offers.');
    return this.answerAccepted(acceptOffer(this.#setup, text));
  }

  answerAccepted(accepted: AcceptedOffer): string {
    this.#pending?.close();
    const connection = new WebRtcConnection(this.#setup, this.#encoding, accepted, {
      onConnected: () => this.#connected(connection),
      onEnd: (reason) => this.#ended(connection, reason),
    });
    this.#pending = connection;
    return connection.answer;
  }

  get isConnected(): boolean {
    return this.#current !== null;
  }

  /** False while no connection is established or no packets arrive. The agent pauses meanwhile. */
  get sending(): boolean {
    return this.#current?.isAlive === true;
  }

  get aliveAtMs(): number {
    return this.#current?.aliveAtMs ?? 0;
  }

  /** Time in milliseconds without a connection or without packets; 0 while packets arrive. */
  get silentMs(): number {
    if (this.#current?.isAlive === true) return 0;
    return this.#setup.clock.nowMs() - (this.#current?.aliveAtMs ?? this.#closedAtMs);
  }

  onFrame(listener: (frame: Uint8Array | null) => void): void {
    this.#onFrame = listener;
  }

  onDtmf(listener: (digit: DtmfDigit) => void): void {
    this.#onDtmf = listener;
  }

  send(frame: Uint8Array): void {
    this.#current?.leg.send(frame);
  }

  sendDtmf(digits: string, toneMs: number): void {
    this.#current?.leg.sendDtmf(digits, toneMs);
  }

  async statistics(): Promise<MediaStatistics | null> {
    return added(this.#before, this.#current?.leg.snapshot() ?? null);
  }

  /** Closes all connections. */
  close(): void {
    this.#pending?.close();
    this.#pending = null;
    this.#retire();
  }

  #connected(connection: WebRtcConnection): void {
    this.#retire();
    this.#pending = null;
    this.#current = connection;
    connection.leg.onFrame((frame) => this.#onFrame?.(frame));
    connection.leg.onDtmf((digit) => this.#onDtmf?.(digit));
    this.#listener.onConnected();
  }

  #ended(connection: WebRtcConnection, reason: string): void {
    if (connection === this.#current) {
      this.#retire();
      this.#listener.onClosed();
    } else if (connection === this.#pending) {
      this.#pending = null;
      this.#listener.onFailed(reason);
    }
  }

  #retire(): void {
    const connection = this.#current;
    if (connection === null) return;
    this.#current = null;
    this.#closedAtMs = this.#setup.clock.nowMs();
    this.#before = added(this.#before, connection.leg.snapshot());
    connection.close();
  }
}

/** Returns the added statistics of two successive connections of a call. */
function added(before: MediaStatistics | null, now: MediaStatistics | null): MediaStatistics | null {
  if (before === null || now === null) return now ?? before;
  const { received, sent } = before;
  return {
    ...now,
    received: {
      ...now.received,
      packets: received.packets + now.received.packets,
      packetsLost: received.packetsLost + now.received.packetsLost,
      packetsDropped: received.packetsDropped + now.received.packetsDropped,
    },
    sent: { ...now.sent, packets: sent.packets + now.sent.packets },
  };
}
