import type { RemoteInfo } from 'node:dgram';
import { type AudioFormat, type Clock, type DtmfDigit, g711Silence, type MediaLeg, type RandomBytes } from '@va/core';
import { type Agreement, receives, sends } from '../sdp/agreement.ts';
import { telephoneEventPayloadTypes } from '../sdp/audio-codec.ts';
import { DtmfReceiver } from './dtmf-receiver.ts';
import { DtmfSender, type DtmfStep } from './dtmf-sender.ts';
import { toneFrame } from './dtmf-tone.ts';
import { FrameAssembler } from './frame-assembler.ts';
import { parseRtp, type RtpPacket } from './packet.ts';
import { ReorderWindow } from './reorder-window.ts';
import { type DtmfPacket, RtpSender } from './rtp-sender.ts';
import { type PortRange, RtpSocket } from './rtp-socket.ts';
import { SourceLatch } from './source-latch.ts';

const frameBytes = 160;
const silence = {
  pcmu: new Uint8Array(frameBytes).fill(g711Silence.pcmu),
  pcma: new Uint8Array(frameBytes).fill(g711Silence.pcma),
};

export interface RtpLegOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** The address to bind. */
  readonly address: string;
  readonly portRange?: PortRange | undefined;
  /** Told of each audio packet of the far end the moment it arrives, before any are put into order. */
  readonly onArrival?: ((packet: RtpPacket) => void) | undefined;
}

/** The RTP stream of one call. It carries nothing until both ends have agreed. */
export class RtpLeg implements MediaLeg {
  readonly #clock: Clock;
  readonly #sender: RtpSender;
  readonly #dtmf: DtmfReceiver;
  readonly #keys = new DtmfSender();
  readonly #window: ReorderWindow;
  readonly #onArrival: ((packet: RtpPacket) => void) | undefined;
  #socket: RtpSocket | null = null;
  #agreement: Agreement | null = null;
  #latch: SourceLatch | null = null;
  #onFrame: ((frame: Uint8Array | null) => void) | null = null;
  #onDtmf: ((digit: DtmfDigit) => void) | null = null;
  #hasHeardEvents = false;

  private constructor(options: RtpLegOptions) {
    this.#clock = options.clock;
    this.#onArrival = options.onArrival;
    this.#sender = new RtpSender(options.random);
    this.#dtmf = new DtmfReceiver(options.clock, (digit) => this.#onDtmf?.(digit));
    const assembler = new FrameAssembler((frame) => this.#onFrame?.(frame));
    this.#window = new ReorderWindow(options.clock, {
      onPacket: (packet) => {
        if (packet.payloadType === this.#agreement?.payloadType) assembler.push(packet.payload);
      },
      onLost: (packets) => assembler.lose(packets),
      onRestart: () => {
        assembler.reset();
        this.#dtmf.reset();
      },
    });
  }

  /** @throws VaError `rtp_port_unavailable` */
  static async open(options: RtpLegOptions): Promise<RtpLeg> {
    const leg = new RtpLeg(options);
    const [startAt = 0] = options.random(1);
    leg.#socket = await RtpSocket.open(options.address, options.portRange, startAt / 256, (bytes, from) =>
      leg.#receive(bytes, from),
    );
    return leg;
  }

  get port(): number {
    return this.#socket?.port ?? 0;
  }

  /** The codec that was agreed on; before that, the one that every peer speaks. */
  get format(): AudioFormat {
    return this.#agreement?.codec.format ?? { encoding: 'pcmu', sampleRateHz: 8_000 };
  }

  get receiving(): boolean {
    return this.#agreement !== null && receives(this.#agreement.direction);
  }

  get agreement(): Agreement | null {
    return this.#agreement;
  }

  /** Takes over what was agreed, at first and after each new offer. */
  apply(agreement: Agreement): void {
    this.#agreement = agreement;
    if (this.#latch === null) this.#latch = new SourceLatch(agreement.remote);
    else this.#latch.expect(agreement.remote);
  }

  onFrame(listener: (frame: Uint8Array | null) => void): void {
    this.#onFrame = listener;
  }

  onDtmf(listener: (digit: DtmfDigit) => void): void {
    this.#onDtmf = listener;
  }

  /** Keys that are being pressed go out in the place of frames, one step a frame. */
  send(frame: Uint8Array): void {
    const agreement = this.#agreement;
    if (agreement === null || !sends(agreement.direction)) return;
    const step = this.#keys.next();
    if (step === null) this.#sendAudio(agreement, frame);
    else this.#sendStep(agreement, step);
  }

  /**
   * Presses keys: as events where the far end takes them, else as tones. `toneMs` is 40 to 6,000. They go out as `send`
   * is called; keys that are pressed meanwhile come after them.
   * @see RFC 4733 §2.5.1
   */
  sendDtmf(digits: string, toneMs: number): void {
    this.#keys.press(digits, toneMs);
  }

  /** A key that the signalling tells of. Who presses keys by events may tell of them twice: those of events count then. */
  receiveDigit(digit: DtmfDigit): void {
    if (!this.#hasHeardEvents) this.#onDtmf?.(digit);
  }

  /** Sends one packet of a telephone event in place of a frame; nothing when the far end takes none. */
  sendEvent(packet: DtmfPacket): void {
    const payloadType = this.#agreement?.telephoneEventPayloadType ?? null;
    if (payloadType === null || this.#latch === null) return;
    const bytes = this.#sender.event(payloadType, packet, this.#clock.nowMs());
    if (bytes !== null) this.#socket?.send(bytes, this.#latch.remote);
  }

  #sendAudio(agreement: Agreement, frame: Uint8Array): void {
    if (this.#latch === null) return;
    const bytes = this.#sender.frame(agreement.payloadType, frame, this.#clock.nowMs());
    this.#socket?.send(bytes, this.#latch.remote);
  }

  #sendStep(agreement: Agreement, step: DtmfStep): void {
    const { name } = agreement.codec;
    if (step.kind === 'pause') this.#sendAudio(agreement, silence[name === 'pcma' ? 'pcma' : 'pcmu']);
    else if (agreement.telephoneEventPayloadType !== null) this.sendEvent(step.packet);
    else this.#sendAudio(agreement, toneFrame(step.packet, step.soundsFromMs, name === 'pcma' ? 'pcma' : 'pcmu'));
  }

  close(): void {
    this.#socket?.close();
    this.#socket = null;
    this.#window.close();
    this.#dtmf.close();
    this.#onFrame = null;
    this.#onDtmf = null;
  }

  /** A peer that numbers events otherwise than our offer may send them by its own number or, rightly, by ours. */
  #isEvent(payloadType: number, agreement: Agreement): boolean {
    const theirs = agreement.telephoneEventPayloadType;
    return theirs !== null && (payloadType === theirs || payloadType === telephoneEventPayloadTypes.get(8_000));
  }

  #receive(bytes: Uint8Array, from: RemoteInfo): void {
    const agreement = this.#agreement;
    const packet = parseRtp(bytes);
    if (packet === null || agreement === null || this.#latch === null) return;
    const isAudio = packet.payloadType === agreement.payloadType;
    const isEvent = !isAudio && this.#isEvent(packet.payloadType, agreement);
    // Others, such as comfort noise, only keep the sequence numbers whole: they prove nobody's identity.
    const accepted = isAudio || isEvent ? this.#latch.accepts(packet, from) : this.#latch.knows(from);
    if (!accepted) return;
    if (isAudio) this.#onArrival?.(packet);
    this.#window.push(packet);
    if (!isEvent) return;
    this.#hasHeardEvents = true;
    this.#dtmf.receive(packet.timestamp, packet.payload);
  }
}
