import { VaError } from '@va/core';
import {
  type CarrierDialRequest,
  type DialFailure,
  type LegEnd,
  type MediaLeg,
  type OutgoingCall,
  type Timer,
  toError,
} from '@va/core/adapter';
import type { AwaitingStream, OpenMediaStream } from '../stream/awaiting-stream.ts';
import type { MediaStream } from '../stream/media-stream.ts';
import { run } from './call-commands.ts';
import { CarrierCallEnd } from './call-end.ts';
import { type CallContext, StreamedCall, streamMs } from './streamed-call.ts';

/** Ring timeout requested from carriers. The service's own timeout is shorter. */
export const ringSeconds = 180;

/** A status report of the carrier for an outbound call. Reports may arrive out of order; only these two are used. */
export type CallReport =
  | { readonly type: 'answered' }
  /** `failure` is null if the call was answered, or if the carrier gives no reason. */
  | { readonly type: 'ended'; readonly failure: DialFailure | null; readonly message: string };

export interface CarrierOutgoingOptions extends CallContext {
  readonly request: CarrierDialRequest;
  /** Returns the call failure for a refused request. */
  readonly refusalOf: (error: Error) => DialFailure;
  /** Called once, when the call has ended. */
  readonly release: () => void;
}

/** An outbound call of a carrier's API. It counts as answered when its media stream opens. */
export class CarrierOutgoingCall implements OutgoingCall, AwaitingStream {
  readonly #options: CarrierOutgoingOptions;
  readonly #answered: Promise<MediaLeg>;
  readonly #end = new CarrierCallEnd();
  #answering: { resolve(leg: MediaLeg): void; reject(error: Error): void } | null = null;
  #callId: string | null = null;
  #streamed: StreamedCall | null = null;
  #timer: Timer | null = null;
  #isHungUp = false;

  constructor(options: CarrierOutgoingOptions) {
    this.#options = options;
    this.#answered = new Promise((resolve, reject) => {
      this.#answering = { resolve, reject };
    });
    this.#answered.catch(() => {});
  }

  /** The carrier's id of the call, or the service's id until the carrier's is known. */
  get id(): string {
    return this.#callId ?? this.#options.request.callId;
  }

  /** The carrier's id of the call; null until it is known. */
  get callId(): string | null {
    return this.#callId;
  }

  /** Places the call; called once. `create` resolves to the carrier's call id. */
  async place(create: () => Promise<string>): Promise<void> {
    let callId: string;
    try {
      callId = await create();
    } catch (thrown) {
      const error = toError(thrown);
      this.#over(this.#notAnswered(this.#options.refusalOf(error), error.message));
      return;
    }
    this.#callId ??= callId;
    if (this.#isHungUp) await this.#hangUpKnown(this.#callId);
  }

  whenAnswered(): Promise<MediaLeg> {
    return this.#answered;
  }

  hangup(): void {
    if (this.#end.isOver || this.#isHungUp) return;
    this.#isHungUp = true;
    if (this.#callId !== null) void this.#hangUpKnown(this.#callId);
  }

  onEnd(listener: (end: LegEnd) => void): void {
    this.#end.onEnd(listener);
  }

  /** Replaces the provisional id by the carrier's final id of the call. */
  named(callId: string): void {
    if (this.#streamed === null) this.#callId = callId;
  }

  connected(callId: string | null, open: OpenMediaStream): MediaStream | null {
    if (this.#end.isOver || this.#streamed !== null) return null;
    this.#timer?.cancel();
    if (callId !== null) this.#callId = callId;
    const onEnd = (): void => this.#over({ cause: this.#isHungUp ? 'local-hangup' : 'remote-hangup' });
    const { callerNumber } = this.#options.request;
    this.#streamed = new StreamedCall(this.id, callerNumber, this.#options, { open, onEnd });
    this.#answering?.resolve(this.#streamed.leg);
    return this.#streamed.stream;
  }

  /** Handles a status report of the carrier. */
  reported(report: CallReport): void {
    if (this.#end.isOver) return;
    if (report.type === 'answered') {
      if (this.#streamed === null) this.#awaitStream();
    } else if (this.#streamed !== null) this.#streamed.endedByCarrier();
    else if (this.#isHungUp) this.#over({ cause: 'local-hangup' });
    else this.#over(this.#notAnswered(report.failure ?? 'failed', report.message));
  }

  /** Cancels a ringing call. The same command ends a call that was answered meanwhile. */
  async #hangUpKnown(callId: string): Promise<void> {
    const { commands, logger } = this.#options;
    if (this.#streamed !== null) {
      await this.#streamed.hangUp((end) => this.#over(end));
      return;
    }
    await run(callId, () => commands.hangUp(callId), logger);
    this.#over({ cause: 'local-hangup' });
  }

  #awaitStream(): void {
    const { commands, clock, logger } = this.#options;
    this.#timer ??= clock.setTimer(streamMs, () => {
      const callId = this.#callId;
      if (callId !== null) void run(callId, () => commands.hangUp(callId), logger);
      this.#over(this.#notAnswered('failed', 'The media stream did not open.'));
    });
  }

  #notAnswered(why: DialFailure, message: string): LegEnd {
    return { cause: 'not-answered', why, message };
  }

  #over(end: LegEnd): void {
    if (!this.#end.set(end)) return;
    this.#timer?.cancel();
    this.#options.release();
    this.#streamed?.stream.close();
    this.#end.report();
    this.#answering?.reject(new VaError('leg_ended', 'The call was not answered, or has ended.'));
  }
}
