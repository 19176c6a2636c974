import { VaError } from '@va/core';
import type { DialedNumber, IncomingCall, LegEnd, MediaLeg, Party, RejectCause, Timer } from '@va/core/adapter';
import { ApiTransfer } from '../shared/api-transfer.ts';
import { CallEnd } from '../shared/call-end.ts';
import type { TransferLeg } from '../shared/stream-leg.ts';
import type { MediaStream } from './media-stream.ts';
import { hangUp, type SessionContext, transferBlind } from './session.ts';
import { reject } from './twiml.ts';

/** Time in which an agent has to accept a call: Twilio waits 15 s for the answer of a webhook. */
const decisionMs = 13_000;
/** Time from the answer of the webhook to the media stream. */
const streamMs = 10_000;

export interface TwilioIncomingOptions extends SessionContext {
  readonly callSid: string;
  readonly from: Party;
  readonly to: Party;
  readonly dialed: DialedNumber;
  /** Makes the document that connects the call with a stream; called once. */
  readonly connect: (call: TwilioIncomingCall) => string;
  readonly disconnect: (call: TwilioIncomingCall) => void;
}

/** A call to a number of Twilio: its webhook is answered when the agent has accepted or refused it. */
export class TwilioIncomingCall implements IncomingCall {
  readonly id: string;
  readonly from: Party;
  readonly to: Party;
  readonly dialed: DialedNumber;
  readonly format = { encoding: 'pcmu', sampleRateHz: 8_000 } as const;
  /** The TwiML document that answers the webhook. */
  readonly document: Promise<string>;
  readonly #options: TwilioIncomingOptions;
  readonly #respond: (document: string) => void;
  #isDecided = false;
  #transfer: ApiTransfer | null = null;
  readonly #end = new CallEnd();
  #answering: { resolve(leg: MediaLeg): void; reject(error: Error): void } | null = null;
  #answered: Promise<MediaLeg> | null = null;
  #stream: MediaStream | null = null;
  #timer: Timer;

  constructor(options: TwilioIncomingOptions) {
    this.id = options.callSid;
    this.from = options.from;
    this.to = options.to;
    this.dialed = options.dialed;
    this.#options = options;
    const { promise, resolve } = withResolver<string>();
    this.document = promise;
    this.#respond = resolve;
    this.#timer = options.clock.setTimer(decisionMs, () => this.reject('overloaded'));
  }

  /** Twilio rings by itself until its webhook is answered. */
  ring(): void {}

  answer(): Promise<MediaLeg> {
    if (this.#answered !== null) return this.#answered;
    if (this.#end.isOver) return Promise.reject(new VaError('leg_ended', 'The call has ended.'));
    this.#answered = new Promise((resolve, reject) => {
      this.#answering = { resolve, reject };
    });
    // Nobody may be waiting for it when the caller has gone.
    this.#answered.catch(() => {});
    this.#decide(this.#options.connect(this));
    this.#timer = this.#options.clock.setTimer(streamMs, () => this.#over({ cause: 'canceled' }));
    return this.#answered;
  }

  reject(cause: RejectCause): void {
    if (this.#isDecided) {
      this.hangup();
      return;
    }
    this.#decide(reject(cause === 'busy' || cause === 'overloaded' ? 'busy' : 'rejected'));
    this.#over({ cause: 'local-hangup' });
  }

  hangup(): void {
    if (!this.#isDecided) this.reject('declined');
    if (this.#end.isOver) return;
    if (this.#transfer?.isDone === true) this.#over({ cause: 'local-hangup' });
    else void hangUp(this.id, this.#stream, this.#options).finally(() => this.#over({ cause: 'local-hangup' }));
  }

  onEnd(listener: (end: LegEnd) => void): void {
    this.#end.onEnd(listener);
  }

  /** The caller's carrier gave up before the webhook was answered. */
  abandoned(): void {
    if (this.#isDecided) return;
    this.#decide(reject('rejected'));
    this.#over({ cause: 'canceled' });
  }

  /** Takes the media stream of the call. Returns null if the call has ended meanwhile. */
  connected(open: (transfer: TransferLeg) => MediaStream): MediaStream | null {
    if (this.#end.isOver || this.#answering === null) return null;
    this.#timer.cancel();
    const transfer = new ApiTransfer(
      (request) => transferBlind(this.id, request, this.to.number, this.#options),
      this.#options.clock,
    );
    this.#transfer = transfer;
    const stream = open((request) => transfer.request(request));
    this.#stream = stream;
    stream.onEnd(() => void transfer.settled().then(() => this.#over({ cause: 'remote-hangup' })));
    this.#answering.resolve(stream.leg);
    return stream;
  }

  #decide(document: string): void {
    this.#isDecided = true;
    this.#timer.cancel();
    this.#respond(document);
  }

  #over(end: LegEnd): void {
    if (!this.#end.set(end)) return;
    this.#timer.cancel();
    this.#options.disconnect(this);
    this.#stream?.close();
    this.#answering?.reject(new VaError('leg_ended', 'The caller has gone.'));
    this.#end.report();
  }
}

function withResolver<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
