import { type Clock, type DtmfDigit, VaError } from '@va/core/adapter';
import { decodeG711, type G711Encoding } from '@va/media';

/** A packet of the far end's audio, usually 20 ms, with its arrival time. */
export interface HeardFrame {
  readonly pcm: Int16Array;
  readonly atMs: number;
  /** True if its level is that of speech. */
  readonly loud: boolean;
}

/** Options of `waitForSpeech`. `timeoutMs` is 10,000 by default. */
export interface WaitForSpeechOptions {
  /** Ignores frames before this time. Default: the start of the call. */
  readonly afterMs?: number;
  readonly timeoutMs?: number;
}

/** Options of `waitForSilence`. `timeoutMs` is 10,000 by default. */
export interface WaitForSilenceOptions {
  /** Required duration without a loud frame. */
  readonly ms: number;
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 10_000;
/** Minimum root mean square of a loud frame, out of 32,768: about −44 dBFS. */
const speechLevel = 200;

function level(pcm: Int16Array): number {
  let sum = 0;
  for (const sample of pcm) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, pcm.length));
}

/** All audio that a caller has received, by time of arrival. */
export class Heard {
  readonly #clock: Clock;
  readonly #encoding: G711Encoding;
  readonly #listeners = new Set<(frame: HeardFrame) => void>();
  readonly #onClose = new Set<() => void>();
  readonly frames: HeardFrame[] = [];
  /** DTMF digits that the far end sent. */
  readonly digits: DtmfDigit[] = [];
  #closed = false;

  constructor(clock: Clock, encoding: G711Encoding) {
    this.#clock = clock;
    this.#encoding = encoding;
  }

  receive(payload: Uint8Array): void {
    const atMs = this.#clock.nowMs();
    const pcm = decodeG711(this.#encoding, payload);
    const frame = { pcm, atMs, loud: level(pcm) >= speechLevel };
    this.frames.push(frame);
    for (const listener of [...this.#listeners]) listener(frame);
  }

  onFrame(listener: (frame: HeardFrame) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** All received audio, at 8 kHz. */
  get pcm(): Int16Array {
    const whole = new Int16Array(this.frames.reduce((total, frame) => total + frame.pcm.length, 0));
    let at = 0;
    for (const frame of this.frames) {
      whole.set(frame.pcm, at);
      at += frame.pcm.length;
    }
    return whole;
  }

  /** Resolves with the arrival time of the first loud frame. */
  waitForSpeech(options: WaitForSpeechOptions): Promise<number> {
    const afterMs = options.afterMs ?? Number.NEGATIVE_INFINITY;
    const isIt = (frame: HeardFrame): boolean => frame.loud && frame.atMs >= afterMs;
    const known = this.frames.find(isIt);
    if (known !== undefined) return Promise.resolve(known.atMs);
    return this.#wait('speech', options.timeoutMs, (found) =>
      this.onFrame((frame) => {
        if (isIt(frame)) found(frame.atMs);
      }),
    );
  }

  /**
   * Resolves after the silence with the arrival time of the last loud frame before it, or with the time at which the
   * wait began if there was none.
   */
  waitForSilence(options: WaitForSilenceOptions): Promise<number> {
    return this.#wait('silence', options.timeoutMs, (found) => {
      const askedAtMs = this.#clock.nowMs();
      let lastLoudAtMs = this.frames.findLast((frame) => frame.loud)?.atMs ?? askedAtMs;
      const arm = () => {
        const dueAtMs = lastLoudAtMs + options.ms;
        return this.#clock.setTimer(Math.max(0, dueAtMs - this.#clock.nowMs()), () => found(lastLoudAtMs));
      };
      let timer = arm();
      const stop = this.onFrame((frame) => {
        if (!frame.loud) return;
        lastLoudAtMs = frame.atMs;
        timer.cancel();
        timer = arm();
      });
      return () => {
        stop();
        timer.cancel();
      };
    });
  }

  close(): void {
    this.#closed = true;
    for (const close of [...this.#onClose]) close();
  }

  #wait(
    what: string,
    timeoutMs: number | undefined,
    watch: (found: (atMs: number) => void) => () => void,
  ): Promise<number> {
    const waitMs = timeoutMs ?? defaultTimeoutMs;
    return new Promise((resolve, reject) => {
      const fail = (why: string) => {
        finish();
        reject(new VaError('caller_wait_failed', `timed out waiting for ${what}: ${why}`));
      };
      const gone = () => fail('the call ended');
      const timer = this.#clock.setTimer(waitMs, () => fail(`none arrived within ${waitMs} ms`));
      const unwatch = watch((atMs) => {
        finish();
        resolve(atMs);
      });
      const finish = () => {
        timer.cancel();
        unwatch();
        this.#onClose.delete(gone);
      };
      this.#onClose.add(gone);
      if (this.#closed) gone();
    });
  }
}
