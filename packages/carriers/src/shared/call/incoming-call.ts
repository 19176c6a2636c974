import { VaError } from '@va/core';
import type { DialedNumber, IncomingCall, LegEnd, MediaLeg, Party, RejectCause, Timer } from '@va/core/adapter';
import type { AudioFormat } from '@va/media';
import type { AwaitingStream, OpenStream } from '../stream/awaiting-stream.ts';
import type { MediaStream } from '../stream/media-stream.ts';
import { CallEnd } from './call-end.ts';
import { type CallContext, StreamedCall, streamMs } from './streamed-call.ts';

export interface CarrierIncomingOptions extends CallContext {
  /** The carrier's id of the call. */
  readonly callId: string;
  readonly from: Party;
  readonly to: Party;
  readonly dialed: DialedNumber;
  /** Expected format of the media stream. */
  readonly format: AudioFormat;
  /** Time in which an agent has to accept the call. */
  readonly decisionMs: number;
  /** Connects the call with a media stream; called once. A rejection ends the call. */
  readonly accept: () => void | Promise<void>;
  /** Refuses the call; called instead of `accept`, once. Must not throw. */
  readonly refuse: (cause: RejectCause) => void;
  /** Called once when the call is over. */
  readonly release: () => void;
}

/** A call to a number of a carrier: it rings until the agent has accepted or refused it. */
export class CarrierIncomingCall implements IncomingCall, AwaitingStream {
  readonly id: string;
  readonly from: Party;
  readonly to: Party;
  readonly dialed: DialedNumber;
  readonly format: AudioFormat;
  readonly #options: CarrierIncomingOptions;
  readonly #end = new CallEnd();
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

  /** Carriers ring by themselves. */
  ring(): void {}

  answer(): Promise<MediaLeg> {
    if (this.#answered !== null) return this.#answered;
    if (this.#end.isOver) return Promise.reject(new VaError('leg_ended', 'The call has ended.'));
    this.#answered = new Promise((resolve, reject) => {
      this.#answering = { resolve, reject };
    });
    // Nobody may be waiting for it when the caller has gone.
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

  /** The carrier reported the end of the call. */
  endedByCarrier(): void {
    if (this.#streamed !== null) this.#streamed.endedByCarrier();
    else this.#over({ cause: 'canceled' });
  }

  /** The caller hung up, or their carrier gave up, before the call was accepted. */
  abandoned(): void {
    if (this.#isDecided) return;
    this.#decide();
    this.#options.refuse('declined');
    this.#over({ cause: 'canceled' });
  }

  connected(_callId: string | null, open: OpenStream): MediaStream | null {
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
    this.#answering?.reject(new VaError('leg_ended', 'The caller has gone.'));
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
