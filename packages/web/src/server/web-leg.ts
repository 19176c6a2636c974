import type { Clock, MediaLeg } from '@va/core/adapter';
import { type AudioFormat, type DtmfDigit, DtmfTones, formatOf, legAudio, type MediaStatistics } from '@va/media';
import { frameBytes, frameMs, type WebCallEncoding } from '../protocol/messages.ts';
import { SentFrames } from './sent-frames.ts';

/** Sends audio and commands to the page. */
export interface PageWire {
  /** Sends 20 ms of audio. Drops it while disconnected. */
  sendAudio(sequence: number, frame: Uint8Array): void;
  /** Makes the page drop the frames before this sequence number. */
  clear(sequence: number): void;
}

/** Queued frames above which silent frames are dropped, so that clock drift adds no delay: 400 ms. */
const maxQueuedFrames = 20;

/** The leg of a web call over its WebSocket. */
export class WebLeg implements MediaLeg {
  readonly format: AudioFormat;
  readonly receiving = true;
  /** False while disconnected. The agent pauses meanwhile. */
  sending = true;
  aliveAtMs: number;
  readonly #wire: PageWire;
  readonly #clock: Clock;
  readonly #frames: SentFrames;
  readonly #encoding: WebCallEncoding;
  readonly #tones: DtmfTones;
  #onFrame: ((frame: Uint8Array | null) => void) | null = null;
  #onDtmf: ((digit: DtmfDigit) => void) | null = null;
  /** Frames withdrawn by `holdUnplayed`; null if nothing is held. */
  #held: readonly Uint8Array[] | null = null;
  /** Sequence number of the next expected frame. */
  #expected = 0;
  #received = 0;
  #lost = 0;
  #dropped = 0;
  #isOver = false;

  constructor(encoding: WebCallEncoding, wire: PageWire, clock: Clock) {
    this.#encoding = encoding;
    this.format = formatOf(encoding);
    this.#tones = new DtmfTones(encoding);
    this.#wire = wire;
    this.#clock = clock;
    this.#frames = new SentFrames(clock, frameBytes[encoding]);
    this.aliveAtMs = clock.nowMs();
  }

  onFrame(listener: (frame: Uint8Array | null) => void): void {
    this.#onFrame = listener;
  }

  onDtmf(listener: (digit: DtmfDigit) => void): void {
    this.#onDtmf = listener;
  }

  send(frame: Uint8Array): void {
    if (this.#isOver || !this.sending) return;
    const tone = this.#tones.next();
    const mayBeLeftOut = this.#held !== null || this.#frames.unplayed > maxQueuedFrames;
    if (tone === null && mayBeLeftOut && isSilent(frame, this.#encoding)) return;
    this.#play(tone ?? frame);
  }

  sendDtmf(keys: string, toneMs: number): void {
    this.#tones.press(keys, toneMs);
  }

  discardUnplayed(): number {
    const held = this.#held?.length ?? 0;
    this.#held = null;
    return (held + this.#clear().count) * frameMs;
  }

  holdUnplayed(): void {
    if (this.#held === null) this.#held = this.#clear().frames;
  }

  playUnplayed(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const frame of held) this.#play(frame);
  }

  async statistics(): Promise<MediaStatistics> {
    return {
      received: {
        packets: this.#received,
        packetsLost: this.#lost,
        packetsDropped: this.#dropped,
        jitterMs: 0,
      },
      sent: { packets: this.#frames.next, packetsLost: null, jitterMs: null },
      roundTripMs: null,
    };
  }

  /** Unplayed audio of the page in milliseconds. */
  get unplayedMs(): number {
    return this.#isOver ? 0 : this.#frames.unplayed * frameMs;
  }

  /** Handles a frame of the page. Drops duplicates and frames of the wrong length. */
  received(sequence: number, frame: Uint8Array): void {
    this.aliveAtMs = this.#clock.nowMs();
    if (this.#isOver) return;
    if (frame.length !== frameBytes[this.#encoding] || sequence < this.#expected) {
      this.#dropped += 1;
      return;
    }
    // Frames are missing only after a lost connection. They are not replaced, because the media plane has inserted
    // silence meanwhile.
    this.#lost += sequence - this.#expected;
    this.#expected = sequence + 1;
    this.#received += 1;
    this.#onFrame?.(frame);
  }

  pressed(keys: string): void {
    if (this.#isOver) return;
    for (const digit of keys) this.#onDtmf?.({ digit, durationMs: 0 });
  }

  played(sequence: number): void {
    this.#frames.playedTo(sequence);
  }

  disconnected(): void {
    this.sending = false;
  }

  /** @param received sequence number after the last frame that the page received */
  reconnected(received: number): void {
    this.sending = true;
    this.aliveAtMs = this.#clock.nowMs();
    this.#frames.resumePlayback();
    for (const { sequence, frame } of this.#frames.from(received)) this.#wire.sendAudio(sequence, frame);
  }

  /** Ends the leg: stops sending and emitting. */
  end(): void {
    this.#isOver = true;
  }

  #play(frame: Uint8Array): void {
    this.#wire.sendAudio(this.#frames.add(frame), frame);
  }

  #clear(): { readonly count: number; readonly frames: readonly Uint8Array[] } {
    const cleared = this.#frames.clear();
    if (!this.#isOver) this.#wire.clear(this.#frames.next);
    return cleared;
  }
}

function isSilent(frame: Uint8Array, encoding: WebCallEncoding): boolean {
  return frame.every((byte) => byte === legAudio[encoding].silence);
}
