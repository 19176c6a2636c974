import { decodeG711, g711Silence } from '@va/media';

export const frameBytes = 160;
export const frameMs = 20;
/** Delay from which a frame counts as late, relative to its place in the stream. */
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
 * Frame from which the due times of frames are counted: the first one of the call, or of each utterance where silence
 * between utterances may be left out, as in streams that end in a queue.
 */
export type LatenessFrom = 'call' | 'utterance';

/** A minimal caller, in G.711 μ-law: sends speech or silence, and notices when the agent speaks. */
export class Phone {
  lastLoudAtMs = 0;
  /**
   * Number of frames received while measuring, and of the late ones among them; only frames of speech if lateness
   * counts from utterances.
   */
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
   * Handles a received frame: compares its arrival with the earliest of its call or utterance. Delays of this process
   * count too.
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
