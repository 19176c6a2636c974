import { frameMs } from '../codec/frame.ts';
import { fillRtp, rtpLength } from '../packet/rtp-packet.ts';
import { writeTelephoneEvent } from '../packet/telephone-event.ts';
import type { RandomBytes } from '../runtime/random.ts';

const sampleRateHz = 8_000;
const samplesPerMs = sampleRateHz / 1_000;
const frameSamples = frameMs * samplesPerMs;
/** Maximum 16-bit duration of an event: 8.1 s at 8 kHz, 1.3 s at 48 kHz. Longer events are sent in segments. */
const maxDuration = 0xffff;
/** A longer delay is a pause, not lateness: the ticker makes up for ten frames. */
const maxLagMs = 250;
/** Duration of the frames that the ticker may still send at once after a pause. */
const catchUpMs = 200;

export interface DtmfPacket {
  readonly digit: string;
  /** Time since the start of the digit. */
  readonly durationMs: number;
  readonly end: boolean;
  readonly first: boolean;
}

/**
 * Number of packet buffers, used in turn: few, so that they stay in the processor's cache. The system nearly always
 * takes a packet at once; a packet that waits for 40 ms is overwritten by a later one.
 */
const packetsInFlight = 2;

/** Numbers and timestamps outgoing packets. Timestamps follow the clock, so that pauses are preserved. */
export class RtpSender {
  readonly ssrc: number;
  /** Timestamp at `#basePosition`: the clock rate may change with the codec. */
  #baseTimestamp: number;
  #basePosition = 0;
  #clockRateHz = sampleRateHz;
  #sequence: number;
  /** Samples from the start to the next frame. */
  #position = 0;
  #eventPosition = 0;
  #startedAtMs: number | null = null;
  #talkspurt = true;
  /** Packets and payload bytes sent, as in sender reports (RFC 3550 §6.4.1). */
  packets = 0;
  octets = 0;
  /** Reused in turn: each call sends fifty packets a second. */
  readonly #buffers: Uint8Array[] = [];
  #nextBuffer = 0;
  /** Bytes that encryption adds to each packet. */
  roomBytes = 0;

  constructor(random: RandomBytes) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0] = random(10);
    this.#sequence = (a << 8) | b;
    this.#baseTimestamp = ((c << 24) | (d << 16) | (e << 8) | f) >>> 0;
    this.ssrc = ((g << 24) | (h << 16) | (i << 8) | j) >>> 0;
  }

  /** Sets the clock rate of the next timestamps, which continue without a jump. */
  useClockRate(clockRateHz: number): void {
    if (clockRateHz === this.#clockRateHz) return;
    this.#baseTimestamp = this.#timestampOf(this.#position);
    this.#basePosition = this.#position;
    this.#clockRateHz = clockRateHz;
  }

  /** Returns the RTP timestamp at a time of the clock. */
  timestampAt(nowMs: number): number {
    const elapsedMs = this.#startedAtMs === null ? 0 : nowMs - this.#startedAtMs;
    return this.#timestampOf(Math.round(elapsedMs * samplesPerMs));
  }

  /**
   * Returns the audio packet to send now, followed by `roomBytes` free bytes. The buffer is reused some packets later.
   * @param samples at 8 kHz; by default a frame of 20 ms
   */
  frame(payloadType: number, payload: Uint8Array, nowMs: number, samples: number = frameSamples): Uint8Array {
    this.#followClock(nowMs);
    const packet = this.#packet(payloadType, payload, this.#talkspurt, this.#position);
    this.#talkspurt = false;
    this.#position += samples;
    return packet;
  }

  /**
   * Returns a packet of a telephone event, which replaces a frame; null for an unknown digit. An event longer than the
   * maximum duration continues in another segment, whose timestamp is the end of the last one (RFC 4733 §2.5.1.3).
   * @param clockRateHz of the event's duration
   */
  event(payloadType: number, packet: DtmfPacket, nowMs: number, clockRateHz: number = sampleRateHz): Uint8Array | null {
    const perFrame = (clockRateHz * frameMs) / 1_000;
    const segmentLength = Math.floor(maxDuration / perFrame) * perFrame;
    const total = Math.round((packet.durationMs * clockRateHz) / 1_000);
    const before = Math.floor(Math.max(0, total - 1) / segmentLength) * segmentLength;
    const payload = writeTelephoneEvent({ digit: packet.digit, end: packet.end, duration: total - before });
    if (payload === null) return null;
    this.#followClock(nowMs);
    if (packet.first) this.#eventPosition = this.#position;
    const position = this.#eventPosition + (before * sampleRateHz) / clockRateHz;
    const bytes = this.#packet(payloadType, payload, packet.first, position);
    this.#position += frameSamples;
    return bytes;
  }

  #followClock(nowMs: number): void {
    this.#startedAtMs ??= nowMs;
    const elapsedMs = nowMs - this.#startedAtMs;
    if (elapsedMs - this.#position / samplesPerMs <= maxLagMs) return;
    this.#position = Math.floor((elapsedMs - catchUpMs) / frameMs) * frameSamples;
    this.#talkspurt = true;
  }

  #packet(payloadType: number, payload: Uint8Array, marker: boolean, position: number): Uint8Array {
    const sequence = this.#sequence;
    this.#sequence = (sequence + 1) & 0xffff;
    this.packets += 1;
    this.octets += payload.length;
    const timestamp = this.#timestampOf(position);
    const bytes = this.#buffer(rtpLength(payload) + this.roomBytes);
    return fillRtp(bytes, { marker, payloadType, sequence, timestamp, ssrc: this.ssrc, payload });
  }

  /** Returns the next buffer in turn. A new one is only allocated for another length, which is rare in a call. */
  #buffer(length: number): Uint8Array {
    const place = this.#nextBuffer;
    this.#nextBuffer = (place + 1) % packetsInFlight;
    const known = this.#buffers[place];
    if (known?.length === length) return known;
    const made = new Uint8Array(length);
    this.#buffers[place] = made;
    return made;
  }

  #timestampOf(position: number): number {
    return (this.#baseTimestamp + ((position - this.#basePosition) * this.#clockRateHz) / sampleRateHz) >>> 0;
  }
}
