import { decodeG711, g711Silence } from '@va/media';

export const frameBytes = 160;
export const frameMs = 20;
/** Delay relative to its place in the stream from which a frame is late. */
const lateMs = 5;
/** Step between inspected samples: enough to tell speech from silence. */
const probeStep = 8;
const silentFrame: Uint8Array = new Uint8Array(frameBytes).fill(g711Silence.pcmu);
const loudness = Int16Array.from(
  decodeG711(
    'pcmu',
    Uint8Array.from({ length: 256 }, (_, code) => code),
  ),
  Math.abs,
);

/**
 * What the place of a frame is counted from, to tell whether it is late: the first one of the call, or of each
 * utterance where silence between them may be left out, as in streams that end in a queue.
 */
export type LatenessFrom = 'call' | 'utterance';

/** A caller's ear and mouth, with the minimum that a conversation needs, in G.711 μ-law. */
export class Phone {
  lastLoudAtMs = 0;
  /** Frames received while it was measured, and the late ones among them; speech alone if counted by utterance. */
  frames = 0;
  lateFrames = 0;
  readonly #latenessFrom: LatenessFrom;
  #received = 0;
  #earliestMs = Number.POSITIVE_INFINITY;
  #speech: readonly Uint8Array[] = [];
  #spoken = 0;
  #onSpoken: (() => void) | null = null;
  #onSpeech: (() => void) | null = null;
  #quiet: { readonly ms: number; readonly resolve: () => void } | null = null;

  constructor(latenessFrom: LatenessFrom) {
    this.#latenessFrom = latenessFrom;
  }

  /** Sends these frames in place of silence; resolves with the last one. */
  say(speech: readonly Uint8Array[]): Promise<void> {
    this.#speech = speech;
    this.#spoken = 0;
    return new Promise((resolve) => {
      this.#onSpoken = resolve;
    });
  }

  nextSpeech(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSpeech = resolve;
    });
  }

  /** Resolves when the agent has been silent for this time. */
  silence(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#quiet = { ms, resolve };
    });
  }

  /** Returns the frame that is due. */
  next(nowMs: number): Uint8Array {
    if (this.#quiet !== null && nowMs - this.lastLoudAtMs >= this.#quiet.ms) {
      this.#quiet.resolve();
      this.#quiet = null;
    }
    const frame = this.#speech[this.#spoken];
    if (frame === undefined) return silentFrame;
    this.#spoken += 1;
    if (this.#spoken === this.#speech.length) {
      this.#speech = [];
      this.#onSpoken?.();
    }
    return frame;
  }

  /**
   * Compares the frame's arrival with the earliest of its call or utterance. Delays of this process count too.
   *
   * @param from where the audio begins in `data`
   */
  hear(data: Uint8Array, from: number, { atMs, isMeasured }: { readonly atMs: number; readonly isMeasured: boolean }) {
    const isSpeech = isLoud(data, from);
    if (this.#latenessFrom === 'call' || isSpeech) this.#count(atMs, isMeasured);
    else this.#received = 0;
    if (!isSpeech) return;
    this.lastLoudAtMs = atMs;
    this.#onSpeech?.();
    this.#onSpeech = null;
  }

  #count(atMs: number, isMeasured: boolean): void {
    if (this.#received === 0) this.#earliestMs = Number.POSITIVE_INFINITY;
    const sinceMs = atMs - this.#received * frameMs;
    this.#received += 1;
    this.#earliestMs = Math.min(this.#earliestMs, sinceMs);
    if (!isMeasured) return;
    this.frames += 1;
    if (sinceMs - this.#earliestMs > lateMs) this.lateFrames += 1;
  }
}

function isLoud(data: Uint8Array, from: number): boolean {
  for (let i = from; i < data.length; i += probeStep) {
    if ((loudness[data[i] as number] as number) > 500) return true;
  }
  return false;
}
