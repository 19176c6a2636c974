import type { RemoteInfo } from 'node:dgram';
import type { CodecName } from '../codec/audio-codec.ts';
import type { AudioFormat } from '../codec/audio-format.ts';
import { createEncoder } from '../codec/create-codec.ts';
import { NarrowDecoder, silentFrames } from '../codec/frame.ts';
import { encodingOf, formatOf, type LegEncoding, legAudio } from '../codec/leg-encoding.ts';
import type { OpusLibrary } from '../codec/opus-codec.ts';
import type { SpeechEncoder } from '../codec/speech-codec.ts';
import { DtmfDetector } from '../dsp/dtmf-detector.ts';
import type { DtmfDigit } from '../dsp/dtmf-digit.ts';
import { parseRtp, type RtpPacket } from '../packet/rtp-packet.ts';
import type { MediaStatistics } from '../plane/media-statistics.ts';
import type { Clock } from '../runtime/clock.ts';
import { isUnspecified } from '../runtime/ip-address.ts';
import type { RandomBytes } from '../runtime/random.ts';
import { StreamSecurity } from '../srtp/stream-security.ts';
import { type Agreement, receives, sends } from './agreement.ts';
import { AudioReceiver } from './audio-receiver.ts';
import { DtmfReceiver } from './dtmf/dtmf-receiver.ts';
import { DtmfSender, type DtmfStep } from './dtmf/dtmf-sender.ts';
import { toneFrame } from './dtmf/dtmf-tone.ts';
import { JitterBuffer } from './jitter-buffer.ts';
import { jitterDelayMs } from './jitter-delay.ts';
import type { MediaTrust } from './media-trust.ts';
import type { NegotiatedLeg } from './negotiated-leg.ts';
import { type PayloadTable, payloadTable } from './payload-table.ts';
import { Reception } from './reception.ts';
import { isRtcp } from './rtcp/packet.ts';
import { RtcpReporter } from './rtcp/reporter.ts';
import { RtcpChannel, rtcpDestination } from './rtcp/rtcp-channel.ts';
import { type DtmfPacket, RtpSender } from './rtp-sender.ts';
import { RtpSocket, type RtpTransport } from './rtp-socket.ts';
import { SourceLatch } from './source-latch.ts';

const maxEarlySources = 8;
/** The same digit in the audio and in the signalling within this time is one key press. */
const sameKeyMs = 1_000;

export interface RtpLegOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Local address to bind. */
  readonly address: string;
  /** Default: any free port. */
  readonly port?: number | undefined;
  /** Opus library, if it is installed (`loadOpus`). */
  readonly opus?: OpusLibrary | null | undefined;
  /** Encoding of the leg's frames; by default that of the first negotiated codec. */
  readonly encoding?: LegEncoding | undefined;
  /** Called when the port is free again. */
  readonly onClosed?: (() => void) | undefined;
  /** Called after a packet of the far end was processed. */
  readonly onRead?: (() => void) | undefined;
  /** Called for each audio packet of the far end on arrival, before reordering and decoding. */
  readonly onArrival?: ((packet: RtpPacket) => void) | undefined;
}

/** RTP stream of one call. Sends and accepts nothing before the first `apply`. */
export class RtpLeg implements NegotiatedLeg {
  readonly #options: RtpLegOptions;
  readonly #clock: Clock;
  readonly #sender: RtpSender;
  readonly #reception = new Reception();
  readonly #reporter: RtcpReporter;
  readonly #security = new StreamSecurity();
  readonly #dtmfReceiver: DtmfReceiver;
  readonly #dtmfSender = new DtmfSender();
  readonly #jitterBuffer: JitterBuffer;
  #socket: RtpTransport | null = null;
  #rtcp: RtcpChannel | null = null;
  #agreement: Agreement | null = null;
  /** Cached, because it is read for each frame. */
  #isReceiving = false;
  #isSending = false;
  #latch: SourceLatch | null = null;
  /** Sources of packets that arrived before the negotiation. */
  #early: RemoteInfo[] = [];
  #aliveAtMs = 0;
  #payloads: PayloadTable = new Map();
  #encoding: LegEncoding | null = null;
  #receiver: AudioReceiver | null = null;
  #encoder: SpeechEncoder | null = null;
  /** Detects in-band DTMF if the far end sends no events. */
  #detector: DtmfDetector | null = null;
  #narrow: NarrowDecoder | null = null;
  #onFrame: ((frame: Uint8Array | null) => void) | null = null;
  #onDtmf: ((digit: DtmfDigit) => void) | null = null;
  #hasHeardEvents = false;
  #hasSignalledDigits = false;
  #lastInBandDigit: { readonly digit: string; readonly atMs: number } | null = null;

  private constructor(options: RtpLegOptions) {
    const { clock, random } = options;
    this.#options = options;
    this.#encoding = options.encoding ?? null;
    this.#clock = clock;
    this.#sender = new RtpSender(random);
    this.#dtmfReceiver = new DtmfReceiver(clock, (digit) => this.#onDtmf?.(digit));
    this.#reporter = new RtcpReporter({
      clock,
      random,
      sender: this.#sender,
      reception: this.#reception,
      clockRateHz: () => this.#agreement?.codec.clockRateHz ?? 8_000,
      send: (packet) => this.#sendRtcp(packet),
    });
    const listener = {
      onPacket: (packet: RtpPacket) => this.#inOrder(packet),
      onLost: (packets: number) => this.#receiver?.lose(packets),
      onRestart: () => {
        this.#receiver?.restart();
        this.#dtmfReceiver.reset();
      },
    };
    this.#jitterBuffer = new JitterBuffer(clock, listener, () => jitterDelayMs(this.#reception));
  }

  /** Opens a leg with a UDP socket of its own. Rejects with the system's error if the port cannot be bound. */
  static async open(options: RtpLegOptions): Promise<RtpLeg> {
    const leg = new RtpLeg(options);
    const { address, port = 0, onRead } = options;
    const socket = await RtpSocket.open(address, port, (bytes, from) => {
      leg.#receive(bytes, from);
      onRead?.();
    });
    leg.#useTransport(address, socket);
    return leg;
  }

  /**
   * Opens a leg whose packets do not have a socket of their own, such as those of WebRTC.
   * @param connect returns the transport; gets the function to call for each received packet, which decrypts it in
   *   place
   */
  static over(
    options: Omit<RtpLegOptions, 'address' | 'port'>,
    connect: (receive: (bytes: Uint8Array, from: RemoteInfo) => void) => RtpTransport,
  ): RtpLeg {
    const leg = new RtpLeg({ ...options, address: '' });
    const transport = connect((bytes, from) => {
      leg.#receive(bytes, from);
      options.onRead?.();
    });
    leg.#useTransport('', transport);
    return leg;
  }

  get port(): number {
    return this.#socket?.port ?? 0;
  }

  /** Synchronization source of the packets sent. */
  get ssrc(): number {
    return this.#sender.ssrc;
  }

  /** Format of the first negotiated codec, kept for the whole call. Before an agreement it is `pcmu`. */
  get format(): AudioFormat {
    return formatOf(this.#encoding ?? 'pcmu');
  }

  get receiving(): boolean {
    return this.#isReceiving;
  }

  get sending(): boolean {
    return this.#isSending;
  }

  /** Arrival time of the last packet of the far end, including RTCP. */
  get aliveAtMs(): number {
    return this.#aliveAtMs;
  }

  get agreement(): Agreement | null {
    return this.#agreement;
  }

  async statistics(): Promise<MediaStatistics> {
    return this.snapshot();
  }

  /** Returns the network statistics of the media so far, in both directions. */
  snapshot(): MediaStatistics {
    const { packetsReceived, packetsLost, jitterMs } = this.#reception;
    const { remote, roundTripMs } = this.#reporter;
    return {
      received: { packets: packetsReceived, packetsLost, packetsDropped: this.#jitterBuffer.dropped, jitterMs },
      sent: {
        packets: this.#sender.packets,
        packetsLost: remote?.packetsLost ?? null,
        jitterMs: remote?.jitterMs ?? null,
      },
      roundTripMs,
    };
  }

  apply(agreement: Agreement, offered: readonly CodecName[] = [], trust?: MediaTrust): void {
    const before = this.#agreement;
    this.#agreement = agreement;
    this.#isReceiving = receives(agreement.direction);
    this.#isSending = sends(agreement.direction);
    const encoding = this.#fixEncoding(agreement);
    this.#payloads = payloadTable(agreement, offered);
    if (before?.codec !== agreement.codec || this.#encoder === null) {
      this.#encoder = createEncoder(agreement.codec.name, encoding, this.#options.opus ?? null);
      this.#sender.useClockRate(agreement.codec.clockRateHz);
    }
    this.#security.apply(agreement.security);
    this.#sender.roomBytes = this.#security.roomBytes;
    if (agreement.telephoneEventPayloadType !== null || this.#hasSignalledDigits) this.#detector = null;
    else this.#detector ??= new DtmfDetector((digit) => this.#onInBandDigit(digit));
    this.#expect(agreement, offered.length > 0, trust);
    if (this.#rtcp !== null) this.#rtcp.separate = !agreement.rtcp.mux;
    if (this.#socket !== null) this.#reporter.start();
  }

  onFrame(listener: (frame: Uint8Array | null) => void): void {
    this.#onFrame = listener;
  }

  onDtmf(listener: (digit: DtmfDigit) => void): void {
    this.#onDtmf = listener;
  }

  /** Sends a frame or, while digits are being sent, the next step of a digit in its place. */
  send(frame: Uint8Array): void {
    const agreement = this.#agreement;
    if (agreement === null || !this.#isSending) return;
    const step = this.#dtmfSender.next();
    if (step === null) this.#sendAudio(agreement, frame);
    else this.#sendStep(agreement, step);
  }

  /**
   * Queues digits, which the next calls of `send` transmit: as telephone events if the far end supports them, else as
   * tones. `toneMs` is 40 to 6,000.
   * @see RFC 4733 §2.5.1
   */
  sendDtmf(digits: string, toneMs: number): void {
    this.#dtmfSender.press(digits, toneMs);
  }

  /**
   * Reports a digit from the signalling. Ignored once the far end has sent telephone events, because it may repeat them
   * in the signalling.
   */
  receiveDigit(digit: DtmfDigit): void {
    if (this.#hasHeardEvents) return;
    // A far end that signals digits may also send tones: detection stops here, and the first tone may have been
    // reported already.
    const heard = this.#detector === null ? null : this.#lastInBandDigit;
    this.#hasSignalledDigits = true;
    this.#detector = null;
    const isTheSame = heard?.digit === digit.digit && this.#clock.nowMs() - heard.atMs < sameKeyMs;
    if (!isTheSame) this.#onDtmf?.(digit);
  }

  /** Sends one packet of a telephone event instead of a frame; nothing if the far end does not support them. */
  sendEvent(packet: DtmfPacket): void {
    const agreement = this.#agreement;
    if (agreement === null || agreement.telephoneEventPayloadType === null) return;
    const { telephoneEventPayloadType, telephoneEventClockRateHz } = agreement;
    this.#sendPacket(
      this.#sender.event(telephoneEventPayloadType, packet, this.#clock.nowMs(), telephoneEventClockRateHz),
    );
  }

  close(): void {
    if (this.#socket !== null) this.#reporter.close();
    this.#rtcp?.close();
    this.#socket?.close(this.#options.onClosed);
    this.#socket = null;
    this.#jitterBuffer.close();
    this.#dtmfReceiver.close();
    this.#onFrame = null;
    this.#onDtmf = null;
  }

  #useTransport(address: string, transport: RtpTransport): void {
    this.#socket = transport;
    this.#rtcp = new RtcpChannel(address, transport, (bytes, from) => this.#receiveRtcp(bytes, from));
  }

  /** Fixes the encoding of the frames at the first agreement: audio of other codecs is converted to it. */
  #fixEncoding(agreement: Agreement): LegEncoding {
    const encoding = this.#encoding ?? encodingOf(agreement.codec.format);
    this.#encoding = encoding;
    this.#narrow ??= new NarrowDecoder(encoding);
    this.#receiver ??= new AudioReceiver(encoding, this.#options.opus ?? null, (frame) => this.#emit(frame));
    return encoding;
  }

  #expect({ remote, security }: Agreement, hasOffered: boolean, trust: MediaTrust | undefined): void {
    const nowMs = this.#clock.nowMs();
    const isSecure = security !== null;
    if (this.#latch === null) {
      this.#latch = new SourceLatch(remote, nowMs, trust, isSecure);
      // Before our answer the far end cannot know our port.
      if (!hasOffered) for (const source of this.#early) this.#latch.refuse(source);
      this.#early = [];
      return;
    }
    if (trust !== undefined) this.#latch.trust(trust, isSecure);
    if (!isUnspecified(remote.address)) this.#latch.expect(remote, nowMs);
  }

  #sendAudio(agreement: Agreement, frame: Uint8Array): void {
    if (agreement.packetMs === 20) this.#sendCoded(agreement, frame);
    else {
      const half = frame.length / 2;
      this.#sendCoded(agreement, frame.subarray(0, half));
      this.#sendCoded(agreement, frame.subarray(half));
    }
  }

  #sendCoded({ payloadType }: Agreement, audio: Uint8Array): void {
    if (this.#encoder === null || this.#encoding === null) return;
    const payload = this.#encoder.encode(audio);
    const samples = (audio.length * legAudio.pcmu.bytesPerMs) / legAudio[this.#encoding].bytesPerMs;
    this.#sendPacket(this.#sender.frame(payloadType, payload, this.#clock.nowMs(), samples));
  }

  #sendStep(agreement: Agreement, step: DtmfStep): void {
    const encoding = this.#encoding ?? 'pcmu';
    if (step.kind === 'pause') this.#sendAudio(agreement, silentFrames[encoding]);
    else if (agreement.telephoneEventPayloadType !== null) this.sendEvent(step.packet);
    else this.#sendAudio(agreement, toneFrame(step.packet, step.soundsFromMs, encoding));
  }

  #sendPacket(bytes: Uint8Array | null): void {
    if (bytes === null || this.#latch === null || this.#socket === null || !this.#latch.maySend()) return;
    this.#security.protectRtp(bytes);
    this.#socket.send(bytes, this.#latch.remote);
  }

  #sendRtcp(packet: Uint8Array): void {
    if (this.#rtcp === null || this.#agreement === null || !this.#latch?.mayReport) return;
    const to = rtcpDestination(this.#agreement, this.#latch.remote);
    this.#rtcp.send(this.#security.protectRtcp(packet), to);
  }

  #receive(bytes: Uint8Array, from: RemoteInfo): void {
    const latch = this.#latch;
    if (latch === null) {
      if (this.#early.length < maxEarlySources) this.#early.push(from);
      return;
    }
    if (isRtcp(bytes)) {
      this.#receiveRtcp(bytes, from);
      return;
    }
    const nowMs = this.#clock.nowMs();
    // Packets of other sources are not decrypted.
    if (!latch.mayAccept(from, nowMs)) return;
    const plain = this.#security.unprotectRtp(bytes);
    const packet = plain && parseRtp(plain);
    if (packet === null) return;
    const kind = this.#payloads.get(packet.payloadType);
    // Packets of other payload types, such as fax, are counted if they come from the current source: types that were
    // not negotiated do not prove a source.
    if (kind === undefined ? !latch.isSource(from) : !latch.accepts(packet, from, nowMs)) return;
    this.#aliveAtMs = nowMs;
    const audio = kind?.kind === 'audio' ? kind : null;
    this.#reception.count(packet, audio?.clockRateHz ?? null, nowMs);
    if (audio !== null) this.#options.onArrival?.(packet);
    this.#jitterBuffer.push(packet);
    if (kind?.kind !== 'events') return;
    this.#hasHeardEvents = true;
    this.#detector = null;
    this.#dtmfReceiver.receive(packet.timestamp, packet.payload, kind.clockRateHz);
  }

  /** RTCP is accepted from the address of the media, on any port. */
  #receiveRtcp(bytes: Uint8Array, from: RemoteInfo): void {
    if (!this.#latch?.acceptsRtcp(from.address)) return;
    const plain = this.#security.unprotectRtcp(bytes);
    if (plain === null || !this.#reporter.receive(plain)) return;
    this.#latch.heardRtcp(from.address);
    this.#aliveAtMs = this.#clock.nowMs();
  }

  #inOrder(packet: RtpPacket): void {
    const kind = this.#payloads.get(packet.payloadType);
    if (kind !== undefined) this.#receiver?.receive(packet, kind);
  }

  #onInBandDigit(digit: DtmfDigit): void {
    this.#lastInBandDigit = { digit: digit.digit, atMs: this.#clock.nowMs() };
    this.#onDtmf?.(digit);
  }

  #emit(frame: Uint8Array | null): void {
    this.#onFrame?.(frame);
    if (this.#detector === null || this.#encoding === null || this.#narrow === null) return;
    this.#detector.push(this.#narrow.decode(frame ?? silentFrames[this.#encoding]));
  }
}
