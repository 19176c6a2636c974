import { toError } from '../../errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { LegEnd, MediaLeg, OutgoingCall } from '../../ports/telephony.ts';
import type { Line } from '../call-origin.ts';

interface DialedLineOptions {
  readonly clock: Clock;
  readonly ringTimeoutMs: number;
  /** Called when the far end stops ringing, answered or not. */
  readonly onRung: () => void;
  /** Dials. Rejects if the call cannot be attempted. */
  readonly dial: () => Promise<OutgoingCall>;
}

/** The line of an outbound call: dials on `connect`, and limits the ringing time. */
export class DialedLine implements Line {
  readonly #options: DialedLineOptions;
  #outgoing: OutgoingCall | null = null;
  #ringing: Timer | null = null;
  #end: LegEnd | null = null;
  #onEnd: ((end: LegEnd) => void) | null = null;

  constructor(options: DialedLineOptions) {
    this.#options = options;
  }

  async connect(): Promise<MediaLeg> {
    const { clock, ringTimeoutMs, onRung } = this.#options;
    const outgoing = await this.#dial();
    this.#outgoing = outgoing;
    if (this.#end !== null) outgoing.hangup();
    outgoing.onEnd((end) => this.#over(end));
    this.#ringing = clock.setTimer(ringTimeoutMs, () => {
      const seconds = Math.round(ringTimeoutMs / 1_000);
      this.#over({ cause: 'not-answered', why: 'no-answer', message: `Nobody answered within ${seconds} seconds.` });
      outgoing.hangup();
    });
    try {
      return await outgoing.whenAnswered();
    } finally {
      this.#ringing.cancel();
      onRung();
    }
  }

  async #dial(): Promise<OutgoingCall> {
    try {
      return await this.#options.dial();
    } catch (thrown) {
      this.#over({ cause: 'not-answered', why: 'failed', message: toError(thrown).message });
      throw thrown;
    }
  }

  reject(): void {
    this.hangup();
  }

  hangup(): void {
    if (this.#outgoing === null) this.#over({ cause: 'local-hangup' });
    else this.#outgoing.hangup();
  }

  onEnd(listener: (end: LegEnd) => void): void {
    this.#onEnd = listener;
    if (this.#end !== null) listener(this.#end);
  }

  /** Reports the end of the line. Only the first end counts. */
  #over(end: LegEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#ringing?.cancel();
    this.#onEnd?.(end);
  }
}
