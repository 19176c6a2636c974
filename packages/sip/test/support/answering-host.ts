import {
  type Clock,
  type IncomingCall,
  type LegEnd,
  type MediaLeg,
  systemClock,
  type TelephonyHost,
} from '@va/core/adapter';
import { silentLogger } from '@va/testkit';

/** A host whose calls a test answers or rejects itself. */
export class AnsweringHost implements TelephonyHost {
  readonly clock: Clock;
  readonly logger = silentLogger;
  readonly ends: LegEnd[] = [];
  full = false;
  #calls: IncomingCall[] = [];
  #onCall: (() => void) | null = null;

  constructor(clock: Clock = systemClock) {
    this.clock = clock;
  }

  admits(): boolean {
    return !this.full;
  }

  refused(): void {}

  onIncomingCall(call: IncomingCall): void {
    call.onEnd((end) => this.ends.push(end));
    this.#calls.push(call);
    this.#onCall?.();
  }

  get callCount(): number {
    return this.#calls.length;
  }

  /** Waits for the next call. */
  async call(): Promise<IncomingCall> {
    const waiting = this.#calls.shift();
    if (waiting !== undefined) return waiting;
    await new Promise<void>((resolve) => {
      this.#onCall = resolve;
    });
    return this.call();
  }

  async answered(): Promise<{ call: IncomingCall; leg: Promise<MediaLeg> }> {
    const call = await this.call();
    return { call, leg: call.answer() };
  }
}
