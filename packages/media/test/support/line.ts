import { VirtualClock } from '@va/testkit';
import type { CodecName } from '../../src/codec/audio-codec.ts';
import type { DtmfDigit } from '../../src/dsp/dtmf-digit.ts';
import { parseRtp, type RtpPacket, writeRtp } from '../../src/packet/rtp-packet.ts';
import type { Agreement } from '../../src/rtp/agreement.ts';
import type { MediaTrust } from '../../src/rtp/media-trust.ts';
import { isRtcp } from '../../src/rtp/rtcp/packet.ts';
import { RtpLeg } from '../../src/rtp/rtp-leg.ts';
import type { Endpoint } from '../../src/runtime/endpoint.ts';
import { agreed } from './agreement.ts';

interface Sent {
  readonly bytes: Uint8Array;
  readonly to: Endpoint;
}

/** Leg without a socket: what it sends is recorded, and what a test passes to `receive` arrives. */
export class Line {
  readonly clock = new VirtualClock();
  readonly leg: RtpLeg;
  readonly frames: (Uint8Array | null)[] = [];
  readonly digits: DtmfDigit[] = [];
  readonly sent: Sent[] = [];
  isClosed = false;
  #receive: (bytes: Uint8Array, from: Endpoint) => void = () => {};
  /** Called for each packet sent, with a copy of its bytes. */
  onSent: (bytes: Uint8Array) => void = () => {};

  constructor(options: { readonly onArrival?: (packet: RtpPacket) => void } = {}) {
    const random = (count: number): Uint8Array => Uint8Array.from({ length: count }, (_, i) => i + 1);
    this.leg = RtpLeg.over({ clock: this.clock, random, ...options }, (receive) => {
      this.#receive = (bytes, { address, port }) =>
        receive(bytes, { address, port, family: 'IPv4', size: bytes.length });
      return {
        port: 4_000,
        send: (bytes, to) => {
          const copy = bytes.slice();
          this.sent.push({ bytes: copy, to: { address: to.address, port: to.port } });
          this.onSent(copy);
        },
        close: (onClosed) => {
          this.isClosed = true;
          onClosed?.();
        },
      };
    });
    this.leg.onFrame((frame) => this.frames.push(frame?.slice() ?? null));
    this.leg.onDtmf((digit) => this.digits.push(digit));
  }

  /** Opens a line with an agreement, by default that of `agreed`. */
  static agreed(changes: Partial<Agreement> = {}, offered: readonly CodecName[] = [], trust?: MediaTrust): Line {
    const line = new Line();
    line.leg.apply(agreed(changes), offered, trust);
    return line;
  }

  receive(bytes: Uint8Array, from: Endpoint = agreed().remote): void {
    this.#receive(bytes.slice(), from);
  }

  /** Receives audio of 20 ms, or the given payload. */
  hear(sequence: number, changes: Partial<RtpPacket> = {}, from?: Endpoint): void {
    this.receive(writeRtp(packetOf(sequence, changes)), from);
  }

  /** Packets of RTP sent so far. */
  get packets(): RtpPacket[] {
    return this.sent.flatMap(({ bytes }) => (isRtcp(bytes) ? [] : (parseRtp(bytes) ?? [])));
  }

  /** Packets of RTCP sent so far. */
  get reports(): Uint8Array[] {
    return this.sent.map(({ bytes }) => bytes).filter(isRtcp);
  }
}

/** Packet of the far end: 20 ms of G.711 whose bytes are the sequence number. */
function packetOf(sequence: number, changes: Partial<RtpPacket> = {}): RtpPacket {
  return {
    marker: false,
    payloadType: 0,
    sequence,
    timestamp: sequence * 160,
    ssrc: 77,
    payload: new Uint8Array(160).fill(sequence),
    ...changes,
  };
}
