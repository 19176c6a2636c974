import type { Clock, RandomBytes } from '@va/core/adapter';
import {
  type Agreement,
  type CodecName,
  type Endpoint,
  type LegEncoding,
  type OpusLibrary,
  RtpLeg,
  TimerSlot,
} from '@va/media';
import { type DtlsCertificate, fingerprintOf } from './dtls/certificate.ts';
import { DtlsServer } from './dtls/dtls-server.ts';
import { type CheckResult, IceAgent } from './ice/ice-agent.ts';
import type { MediaPath } from './ice/media-path.ts';
import type { PortUser, WebRtcPort } from './ice/web-rtc-port.ts';
import { agree } from './sdp/agreement.ts';
import { writeAnswer } from './sdp/answer.ts';
import { type Offer, parseOffer } from './sdp/offer.ts';
import type { StunMessage } from './stun/message.ts';

/** Timeout of connectivity checks and handshake. */
const connectWithinMs = 10_000;
/** Silence after which the network counts as lost: even without audio, Chromium sends a check every 2.5 s. */
const silentAfterMs = 3_000;
/** Placeholder address for RTP: ICE selects the address of the far end, and DTLS authenticates it. */
const farEnd: Endpoint = { address: 'ice', port: 0 };
const farSource = { ...farEnd, family: 'IPv4', size: 0 } as const;

/** Resources shared by all connections of a process. */
export interface WebRtcSetup {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly port: WebRtcPort;
  readonly certificate: DtlsCertificate;
  readonly addresses: readonly string[];
  readonly codecs: readonly CodecName[];
  readonly opus: OpusLibrary | null;
}

export interface WebRtcConnectionListener {
  onConnected(): void;
  /** Called once, unless `close` was called before: the far end closed the connection, or it failed with a reason. */
  onEnd(reason: string): void;
}

/** A parsed offer with the negotiated codec. */
export interface AcceptedOffer {
  readonly offer: Offer;
  /** Without SRTP keys. */
  readonly agreement: Agreement;
}

/** @throws OfferError */
export function acceptOffer({ codecs }: Pick<WebRtcSetup, 'codecs'>, text: string): AcceptedOffer {
  const offer = parseOffer(text);
  return { offer, agreement: agree(offer, codecs, farEnd) };
}

/** One WebRTC connection: ICE, DTLS and RTP. */
export class WebRtcConnection implements PortUser {
  readonly leg: RtpLeg;
  /** SDP answer to the offer. */
  readonly answer: string;
  readonly #setup: WebRtcSetup;
  readonly #listener: WebRtcConnectionListener;
  readonly #agreement: Agreement;
  readonly #ice: IceAgent;
  readonly #dtls: DtlsServer;
  readonly #deadline: TimerSlot;
  #receiveRtp: (packet: Uint8Array) => void = () => {};
  #isConnected = false;
  #isClosed = false;

  /** @param encoding of the call, independent of the codec of this connection */
  constructor(
    setup: WebRtcSetup,
    encoding: LegEncoding,
    { offer, agreement }: AcceptedOffer,
    listener: WebRtcConnectionListener,
  ) {
    const { clock, random, port, certificate } = setup;
    this.#setup = setup;
    this.#listener = listener;
    this.#agreement = agreement;
    this.#ice = new IceAgent(clock, random, offer.ufrag);
    this.#deadline = new TimerSlot(clock);
    this.#dtls = new DtlsServer({
      clock,
      random,
      certificate,
      isExpected: (der) => offer.fingerprints.some(({ algorithm, value }) => value === fingerprintOf(der, algorithm)),
      send: (datagram) => this.#ice.selected?.send(datagram),
      onConnected: (security) => {
        this.#isConnected = true;
        this.#deadline.clear();
        this.leg.apply({ ...this.#agreement, security: { ...security, tag: 1, remoteMkiBytes: 0 } });
        listener.onConnected();
      },
      onEnd: (reason) => this.#end(reason),
    });
    this.leg = RtpLeg.over({ clock, random, opus: setup.opus, encoding }, (receive) => {
      this.#receiveRtp = (packet) => receive(packet, farSource);
      return { port: port.port, send: (bytes) => this.#ice.selected?.send(bytes), close: () => {} };
    });
    this.answer = writeAnswer(offer, {
      agreement,
      ufrag: this.#ice.ufrag,
      password: this.#ice.password,
      fingerprint: certificate.fingerprint,
      addresses: setup.addresses,
      port: port.port,
      hasTcp: port.hasTcp,
      ssrc: this.leg.ssrc,
      sessionId: Buffer.from(random(6)).readUIntBE(0, 6),
    });
    port.add(this);
    this.#deadline.set(connectWithinMs, () => this.#end('no connection was made'));
  }

  get ufrag(): string {
    return this.#ice.ufrag;
  }

  get isConnected(): boolean {
    return this.#isConnected && !this.#isClosed;
  }

  /** Timestamp of the last authentic packet of the far end. */
  get aliveAtMs(): number {
    return Math.max(this.#ice.consentAtMs, this.leg.aliveAtMs);
  }

  /** True while packets of the far end arrive. */
  get isAlive(): boolean {
    return this.isConnected && this.#setup.clock.nowMs() - this.aliveAtMs < silentAfterMs;
  }

  check(message: StunMessage, bytes: Buffer, path: MediaPath): CheckResult | null {
    return this.#ice.check(message, bytes, path);
  }

  isSelected(path: MediaPath): boolean {
    return this.#ice.selected === path;
  }

  /** @see RFC 7983 §7 */
  receive(packet: Buffer, path: MediaPath): void {
    const first = packet[0] ?? 0;
    if (first >= 128 && first <= 191) this.#receiveRtp(packet);
    else if (first >= 20 && first <= 63) this.#dtls.receive(packet, path.key);
  }

  /** Closes the connection without calling the listener. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#deadline.clear();
    this.leg.close();
    this.#dtls.close();
    this.#setup.port.remove(this);
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.close();
    this.#listener.onEnd(reason);
  }
}
