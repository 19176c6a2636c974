import { frameMs } from '../codec/frame.ts';
import type { Clock, Timer } from '../runtime/clock.ts';

/** Calls are spread over these phases, so that their frames are not sent in one burst. */
const phaseCount = 4;
const phaseMs = frameMs / phaseCount;
/**
 * Maximum number of missed ticks that are made up for. Older ones are skipped: a burst of frames would only fill the
 * far end's jitter buffer.
 */
const maxCatchUpTicks = 10;

type Tick = (nowMs: number) => void;

/**
 * One 20 ms tick for all calls of a thread. The timer is re-armed to the absolute schedule, so that it never drifts (a
 * `setInterval` runs 1 % slow and the far end underruns); ticks missed by a blocked event loop are made up for. Runs
 * only while there are calls.
 */
export class Ticker {
  readonly #clock: Clock;
  /**
   * Callbacks of each phase. The value is the slot in which the callback was added; it is called from the next one on.
   */
  readonly #phases: Map<Tick, number>[] = Array.from({ length: phaseCount }, () => new Map());
  #timer: Timer | null = null;
  #startedAtMs = 0;
  #slot = 0;
  #nextDueAtMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `tick` every 20 ms until the returned function is called. `tick` must not throw. */
  add(tick: Tick): () => void {
    const phase = this.#phases.reduce((least, each) => (each.size < least.size ? each : least));
    if (this.#timer === null) this.#start();
    phase.set(tick, this.#dueSlot(this.#clock.nowMs()));
    this.#expectNext();
    this.#arm();
    return () => {
      phase.delete(tick);
      if (this.#phases.every((each) => each.size === 0)) this.#stop();
    };
  }

  /**
   * Runs due ticks without the timer. To be called after each piece of input: the event loop reads all pending input
   * before it runs timers, and the input of hundreds of calls takes longer than a frame may be late.
   */
  runDueTicks(): void {
    if (this.#clock.nowMs() >= this.#nextDueAtMs) this.#tickAll();
  }

  #start(): void {
    this.#startedAtMs = this.#clock.nowMs();
    this.#slot = 0;
  }

  #stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#nextDueAtMs = Number.POSITIVE_INFINITY;
  }

  #dueSlot(nowMs: number): number {
    return Math.floor((nowMs - this.#startedAtMs) / phaseMs);
  }

  #arm(): void {
    this.#timer?.cancel();
    const delayMs = Math.max(0, this.#nextDueAtMs - this.#clock.nowMs());
    this.#timer = this.#clock.setTimer(delayMs, () => this.#run());
  }

  /**
   * Sets the due time to the next phase with calls: a single call then wakes the process 50 times a second, not 200.
   */
  #expectNext(): void {
    let slot = this.#slot + 1;
    while (slot < this.#slot + phaseCount && this.#phases[slot % phaseCount]?.size === 0) slot += 1;
    this.#nextDueAtMs = this.#startedAtMs + slot * phaseMs;
  }

  #run(): void {
    try {
      this.#tickAll();
    } finally {
      // A tick must not throw; if one does, the timer goes on.
      if (this.#timer !== null) this.#arm();
    }
  }

  #tickAll(): void {
    const nowMs = this.#clock.nowMs();
    const dueSlot = this.#dueSlot(nowMs);
    this.#slot = Math.max(this.#slot, dueSlot - maxCatchUpTicks * phaseCount);
    try {
      while (this.#slot < dueSlot) {
        this.#slot += 1;
        for (const [tick, afterSlot] of this.#phases[this.#slot % phaseCount] ?? []) {
          if (this.#slot > afterSlot) tick(nowMs);
        }
      }
    } finally {
      if (this.#timer !== null) this.#expectNext();
    }
  }
}
