import { encodeG711, type G711Encoding, g711Silence, type RtpLeg } from '@va/media';

const frameSamples = 160;
const frameMs = 20;
/** How long a digit sounds, and how long the line is still after its last packet. */
const digitFrames = 5;
const pauseFrames = 3;
/** The end of an event is sent three times, at the pace of its other packets (RFC 4733 §2.5.1.4). */
const endPackets = 3;

/** What leaves in the next frame, in place of silence. Returns false when it has nothing more to send. */
type Step = (nowMs: number) => boolean;

/** When something was sent: of its first frame, and of its last. */
export interface SentSpan {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** False when the call ended first. */
  readonly complete: boolean;
}

interface Job {
  readonly step: Step;
  readonly done: (span: SentSpan) => void;
  startedAtMs: number | null;
}

/** What a caller sends, a frame at a time: what there is to say, one after the other, and silence in between. */
export class Outbox {
  readonly #leg: RtpLeg;
  readonly #encoding: G711Encoding;
  readonly #silence: Uint8Array;
  #jobs: Job[] = [];
  #lastSentAtMs = 0;
  #closed = false;

  constructor(leg: RtpLeg, encoding: G711Encoding) {
    this.#leg = leg;
    this.#encoding = encoding;
    this.#silence = new Uint8Array(frameSamples).fill(g711Silence[encoding]);
  }

  tick(nowMs: number): void {
    const job = this.#jobs[0];
    this.#lastSentAtMs = nowMs;
    if (job === undefined) {
      this.#leg.send(this.#silence);
      return;
    }
    job.startedAtMs ??= nowMs;
    if (job.step(nowMs)) return;
    this.#jobs.shift();
    job.done({ startedAtMs: job.startedAtMs, endedAtMs: nowMs, complete: true });
  }

  /** Speaks `pcm` (8 kHz) after all that was given before; a last part of a frame is filled with silence. */
  say(pcm: Int16Array): Promise<SentSpan> {
    const frames = Math.max(1, Math.ceil(pcm.length / frameSamples));
    let sent = 0;
    return this.#enqueue(() => {
      const samples = new Int16Array(frameSamples);
      samples.set(pcm.subarray(sent * frameSamples, (sent + 1) * frameSamples));
      this.#leg.send(encodeG711(this.#encoding, samples));
      sent += 1;
      return sent < frames;
    });
  }

  press(digit: string): Promise<SentSpan> {
    const eventPackets = digitFrames + endPackets - 1;
    let sent = 0;
    return this.#enqueue(() => {
      if (sent < eventPackets) {
        const durationMs = Math.min(sent + 1, digitFrames) * frameMs;
        this.#leg.sendEvent({ digit, durationMs, first: sent === 0, end: sent >= digitFrames - 1 });
      } else this.#leg.send(this.#silence);
      sent += 1;
      return sent < eventPackets + pauseFrames;
    });
  }

  close(): void {
    this.#closed = true;
    for (const job of this.#jobs) {
      const startedAtMs = job.startedAtMs ?? this.#lastSentAtMs;
      job.done({ startedAtMs, endedAtMs: this.#lastSentAtMs, complete: false });
    }
    this.#jobs = [];
  }

  #enqueue(step: Step): Promise<SentSpan> {
    if (this.#closed) {
      return Promise.resolve({ startedAtMs: this.#lastSentAtMs, endedAtMs: this.#lastSentAtMs, complete: false });
    }
    return new Promise((done) => {
      this.#jobs.push({ step, done, startedAtMs: null });
    });
  }
}
