import { VaError } from '@va/core';
import type { DialedNumber, IncomingCall, LegEnd, MediaLeg, Party, RejectCause, Timer } from '@va/core/adapter';
import type { AudioFormat } from '@va/media';
import type { AwaitingStream, OpenMediaStream } from '../stream/awaiting-stream.ts';
import type { MediaStream } from '../stream/media-stream.ts';
import { CarrierCallEnd } from './call-end.ts';
import { type CallContext, StreamedCall, streamMs } from './streamed-call.ts';

export interface CarrierIncomingOptions extends CallContext {
  /** The carrier's id of the call. */
  readonly callId: string;
  readonly from: Party;
  readonly to: Party;
  readonly dialed: DialedNumber;
  /** Expected format of the media stream. */
  readonly format: AudioFormat;
  /** Time within which an agent must accept the call. */
  readonly decisionMs: number;
  /** Connects the call to a media stream; called at most once. If it throws or rejects, the call ends. */
  readonly accept: () => void | Promise<void>;
  /** Refuses the call; called at most once, and never after `accept`. Must not throw. */
  readonly refuse: (cause: RejectCause) => void;
  /** Called once, when the call has ended. */
  readonly release: () => void;
}

/** A call to a number of a carrier. It rings until the agent accepts or refuses it. */
export class CarrierIncomingCall implements IncomingCall, AwaitingStream {
  readonly id: string;
  readonly from: Party;
  readonly to: Party;
  readonly dialed: DialedNumber;
  readonly format: AudioFormat;
  readonly #options: CarrierIncomingOptions;
  readonly #end = new CarrierCallEnd();
  #isDecided = false;
  #isHangingUp = false;
  #answering: { resolve(leg: MediaLeg): void; reject(error: Error): void } | null = null;
  #answered: Promise<MediaLeg> | null = null;
  #streamed: StreamedCall | null = null;
  #timer: Timer;

  constructor(options: CarrierIncomingOptions) {
    this.id = options.callId;
    this.from = options.from;
    this.to = options.to;
    this.dialed = options.dialed;
    this.format = options.format;
    this.#options = options;
    this.#timer = options.clock.setTimer(options.decisionMs, () => this.reject('overloaded'));
  }

  /** Does nothing, because carriers play the ringback themselves. */
  ring(): void {}

  answer(): Promise<MediaLeg> {
    if (this.#answered !== null) return this.#answered;
    if (this.#end.isOver) return Promise.reject(new VaError('leg_ended', 'The call has ended.'));
    this.#answered = new Promise((resolve, reject) => {
      this.#answering = { resolve, reject };
    });
    // Avoids an unhandled rejection if the caller hangs up before anything awaits the answer.
    this.#answered.catch(() => {});
    this.#decide();
    this.#timer = this.#options.clock.setTimer(streamMs, () => this.#over({ cause: 'canceled' }));
    void this.#accept();
    return this.#answered;
  }

  reject(cause: RejectCause): void {
    if (this.#isDecided) {
      this.hangup();
      return;
    }
    this.#decide();
    this.#options.refuse(cause);
    this.#over({ cause: 'local-hangup' });
  }

  hangup(): void {
    if (!this.#isDecided) this.reject('declined');
    if (this.#end.isOver || this.#isHangingUp) return;
    this.#isHangingUp = true;
    if (this.#streamed === null) this.#over({ cause: 'local-hangup' });
    else void this.#streamed.hangUp((end) => this.#over(end));
  }

  onEnd(listener: (end: LegEnd) => void): void {
    this.#end.onEnd(listener);
  }

  get isOver(): boolean {
    return this.#end.isOver;
  }

  /** Ends the call, because the carrier has reported its end. */
  endedByCarrier(): void {
    if (this.#streamed !== null) this.#streamed.endedByCarrier();
    else this.#over({ cause: 'canceled' });
  }

  /** Ends the call if the caller or the carrier gave up before it was accepted. */
  abandoned(): void {
    if (this.#isDecided) return;
    this.#decide();
    this.#options.refuse('declined');
    this.#over({ cause: 'canceled' });
  }

  connected(_callId: string | null, open: OpenMediaStream): MediaStream | null {
    if (this.#end.isOver || this.#answering === null || this.#streamed !== null) return null;
    this.#timer.cancel();
    const onEnd = (): void => this.#over({ cause: this.#isHangingUp ? 'local-hangup' : 'remote-hangup' });
    this.#streamed = new StreamedCall(this.id, this.to.number, this.#options, { open, onEnd });
    this.#answering.resolve(this.#streamed.leg);
    return this.#streamed.stream;
  }

  #over(end: LegEnd): void {
    if (!this.#end.set(end)) return;
    this.#isDecided = true;
    this.#timer.cancel();
    this.#options.release();
    this.#streamed?.stream.close();
    this.#answering?.reject(new VaError('leg_ended', 'The caller hung up before the call was answered.'));
    this.#end.report();
  }

  async #accept(): Promise<void> {
    try {
      await this.#options.accept();
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      this.#options.logger.warn({ call: this.id, err: thrown }, 'failed to accept a call of a carrier');
      this.#over({ cause: 'transport-error', message });
    }
  }

  #decide(): void {
    this.#isDecided = true;
    this.#timer.cancel();
  }
}
