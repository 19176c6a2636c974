import { encodeG711, type G711Encoding, g711Silence, type RtpLeg } from '@va/media';

const frameSamples = 160;
const frameMs = 20;
/** Duration of a digit, and of the pause after its last packet, in frames of 20 ms. */
const digitFrames = 5;
const pauseFrames = 3;
/** The end of an event is sent three times, at the pace of its other packets (RFC 4733 §2.5.1.4). */
const endPackets = 3;

/** Sends the next frame instead of silence. Returns false when it has nothing more to send. */
type SendFrame = (nowMs: number) => boolean;

/** Sending times of the first and the last frame. */
export interface SentSpan {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** False when the call ended first. */
  readonly complete: boolean;
}

interface QueuedAudio {
  readonly step: SendFrame;
  readonly done: (span: SentSpan) => void;
  startedAtMs: number | null;
}

/** The caller's outgoing audio, frame by frame: queued items in order, and silence in between. */
export class Outbox {
  readonly #leg: RtpLeg;
  readonly #encoding: G711Encoding;
  readonly #silence: Uint8Array;
  #jobs: QueuedAudio[] = [];
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

  /** Queues `pcm` (8 kHz); the last partial frame is padded with silence. */
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

  #enqueue(step: SendFrame): Promise<SentSpan> {
    if (this.#closed) {
      return Promise.resolve({ startedAtMs: this.#lastSentAtMs, endedAtMs: this.#lastSentAtMs, complete: false });
    }
    return new Promise((done) => {
      this.#jobs.push({ step, done, startedAtMs: null });
    });
  }
}
