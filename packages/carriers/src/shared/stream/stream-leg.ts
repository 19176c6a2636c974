import type { Clock, MediaLeg, TransferOutcome, TransferRequest } from '@va/core/adapter';
import {
  type AudioFormat,
  type DtmfDigit,
  DtmfTones,
  formatOf,
  type LegAudio,
  type LegEncoding,
  legAudio,
  type MediaStatistics,
} from '@va/media';
import { frameMs, PlaybackAccount } from './playback-account.ts';

/** Sends audio and commands to the carrier. */
export interface StreamWire {
  /** Sends 20 ms of audio. */
  sendAudio(frame: Uint8Array): void;
  /** Requests that the far end returns the mark after it has played all audio sent before. */
  sendMark(name: string): void;
  /** Clears the queue of the far end. */
  clear(): void;
  /** Sends DTMF; returns false if the carrier does not support it. */
  press(keys: string, toneMs: number): boolean;
}

/** Transfers the far end through the carrier's API. */
export type TransferLeg = (request: TransferRequest) => Promise<TransferOutcome>;

/** Maximum number of silent frames inserted for a gap in the carrier's timestamps: 10 s. */
const maxLostFrames = 500;
/** Number of sent frames kept for `playUnplayed`, which exceeds the queue of a far end. */
const maxKeptFrames = 100;
const digits = /^[0-9*#A-D]$/;
/** Pause between two DTMF tones. */
const keyGapMs = 70;
const pausesMs: Readonly<Record<string, number>> = { w: 500, W: 1_000 };

/** The leg of a carrier's media stream. */
export class StreamLeg implements MediaLeg {
  readonly format: AudioFormat;
  readonly receiving = true;
  readonly #wire: StreamWire;
  readonly #clock: Clock;
  readonly #transfer: TransferLeg;
  readonly #account: PlaybackAccount;
  readonly #audio: LegAudio;
  readonly #tones: DtmfTones;
  readonly #partial: Uint8Array;
  #partialBytes = 0;
  /** Number of frames still to be dropped, because the carrier plays DTMF in their place. */
  #keyFrames = 0;
  #onFrame: ((frame: Uint8Array | null) => void) | null = null;
  #onDtmf: ((digit: DtmfDigit) => void) | null = null;
  #onDrained: (() => void) | null = null;
  /** The last sent frames, oldest first. */
  #kept: Uint8Array[] = [];
  /** Frames withdrawn by `holdUnplayed`; null if nothing is held. */
  #held: Uint8Array[] | null = null;
  /** Expected timestamp of the next audio, by the carrier's clock. */
  #expectedMs: number | null = null;
  #received = 0;
  #lost = 0;
  #sent = 0;
  #isOver = false;
  aliveAtMs: number;

  constructor(encoding: LegEncoding, wire: StreamWire, clock: Clock, transfer: TransferLeg) {
    this.format = formatOf(encoding);
    this.#audio = legAudio[encoding];
    this.#tones = new DtmfTones(encoding);
    this.#partial = new Uint8Array(this.#audio.frameBytes);
    this.#wire = wire;
    this.#clock = clock;
    this.#transfer = transfer;
    this.#account = new PlaybackAccount(clock);
    this.aliveAtMs = clock.nowMs();
  }

  transfer(request: TransferRequest): Promise<TransferOutcome> {
    return this.#transfer(request);
  }

  onFrame(listener: (frame: Uint8Array | null) => void): void {
    this.#onFrame = listener;
  }

  onDtmf(listener: (digit: DtmfDigit) => void): void {
    this.#onDtmf = listener;
  }

  send(frame: Uint8Array): void {
    if (this.#isOver) return;
    if (this.#keyFrames > 0) {
      this.#keyFrames -= 1;
      return;
    }
    const tone = this.#tones.next();
    if (tone === null && this.#isSilent(frame) && (this.#held !== null || this.#account.leavesOut())) return;
    this.#play(tone ?? frame);
  }

  sendDtmf(keys: string, toneMs: number): void {
    if (this.#isOver) return;
    if (this.#wire.press(keys, toneMs)) this.#keyFrames += framesOf(keys, toneMs);
    else this.#tones.press(keys, toneMs);
  }

  discardUnplayed(): number {
    const held = this.#held?.length ?? 0;
    this.#held = null;
    const dropped = this.#clear();
    return (held + dropped) * frameMs;
  }

  holdUnplayed(): void {
    if (this.#held !== null) return;
    const kept = this.#kept;
    const count = Math.min(this.#clear(), kept.length);
    this.#held = count === 0 ? [] : kept.slice(-count);
  }

  playUnplayed(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const frame of held) this.#play(frame);
  }

  async statistics(): Promise<MediaStatistics> {
    return {
      received: { packets: this.#received, packetsLost: this.#lost, packetsDropped: 0, jitterMs: 0 },
      sent: { packets: this.#sent, packetsLost: null, jitterMs: null },
      roundTripMs: null,
    };
  }

  /**
   * Handles audio of the carrier.
   *
   * @param timestampMs timestamp of the carrier's clock; null if the carrier sends none
   */
  received(audio: Uint8Array, timestampMs: number | null): void {
    this.aliveAtMs = this.#clock.nowMs();
    if (this.#isOver) return;
    this.#fillGap(audio.length, timestampMs);
    this.#received += 1;
    const { frameBytes } = this.#audio;
    for (let at = 0; at < audio.length; ) {
      const count = Math.min(frameBytes - this.#partialBytes, audio.length - at);
      this.#partial.set(audio.subarray(at, at + count), this.#partialBytes);
      this.#partialBytes += count;
      at += count;
      if (this.#partialBytes < frameBytes) continue;
      this.#partialBytes = 0;
      this.#onFrame?.(this.#partial);
    }
  }

  /** Handles a DTMF digit of the caller. Ignores any other character. */
  pressed(digit: string): void {
    const isDigit = digits.test(digit);
    if (isDigit && !this.#isOver) this.#onDtmf?.({ digit, durationMs: 0 });
  }

  /** Handles a mark that the far end returned. */
  marked(name: string): void {
    this.#account.returned(name);
    if (this.#account.isDrained) this.#drained();
  }

  /** Resolves when the far end has played all audio sent so far, or has disconnected. */
  whenPlayed(): Promise<void> {
    if (this.#isOver || this.#account.unplayed === 0) return Promise.resolve();
    this.#wire.sendMark(this.#account.mark());
    return new Promise((resolve) => {
      this.#onDrained = resolve;
    });
  }

  /** Ends the leg: stops sending and emitting. */
  end(): void {
    this.#isOver = true;
    this.#drained();
  }

  #play(frame: Uint8Array): void {
    this.#sent += 1;
    this.#wire.sendAudio(frame);
    this.#kept.push(Uint8Array.from(frame));
    if (this.#kept.length > maxKeptFrames) this.#kept.shift();
    const mark = this.#account.sent();
    if (mark !== null) this.#wire.sendMark(mark);
  }

  #clear(): number {
    const unplayed = this.#account.cleared();
    if (!this.#isOver) this.#wire.clear();
    this.#kept = [];
    return unplayed;
  }

  #drained(): void {
    const onDrained = this.#onDrained;
    this.#onDrained = null;
    onDrained?.();
  }

  /** Inserts silence for missing audio, whose duration follows from the timestamps. */
  #fillGap(bytes: number, timestampMs: number | null): void {
    if (timestampMs === null || !Number.isFinite(timestampMs)) return;
    const gapMs = timestampMs - (this.#expectedMs ?? timestampMs);
    this.#expectedMs = timestampMs + bytes / this.#audio.bytesPerMs;
    const lost = Math.min(maxLostFrames, Math.floor(gapMs / frameMs));
    for (let n = 0; n < lost; n++) this.#onFrame?.(null);
    if (lost > 0) this.#lost += lost;
  }

  #isSilent(frame: Uint8Array): boolean {
    for (const byte of frame) if (byte !== this.#audio.silence) return false;
    return true;
  }
}

/** Returns the duration of DTMF digits in frames. */
function framesOf(keys: string, toneMs: number): number {
  const durations = [...keys].map((key) => pausesMs[key] ?? toneMs + keyGapMs);
  return Math.ceil(durations.reduce((total, each) => total + each, 0) / frameMs);
}
