import { VaError } from '@va/core';
import type {
  DialedNumber,
  IncomingCall,
  LegEnd,
  MediaLeg,
  Party,
  RejectCause,
  Timer,
  TransferOutcome,
  TransferRequest,
} from '@va/core/adapter';
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
  /** True if Twilio has connected the caller with somebody else: completing the call would end that. */
  #isTransferred = false;
  #transferring: Promise<TransferOutcome> | null = null;
  #answering: { resolve(leg: MediaLeg): void; reject(error: Error): void } | null = null;
  #answered: Promise<MediaLeg> | null = null;
  #stream: MediaStream | null = null;
  #timer: Timer;
  #end: LegEnd | null = null;
  #onEnd: ((end: LegEnd) => void) | null = null;

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
    if (this.#end !== null) return Promise.reject(new VaError('leg_ended', 'The call has ended.'));
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
    if (this.#end !== null) return;
    if (this.#isTransferred) this.#over({ cause: 'local-hangup' });
    else void hangUp(this.id, this.#stream, this.#options).finally(() => this.#over({ cause: 'local-hangup' }));
  }

  onEnd(listener: (end: LegEnd) => void): void {
    this.#onEnd = listener;
    if (this.#end !== null) this.#told(this.#end);
  }

  /** The caller's carrier gave up before the webhook was answered. */
  abandoned(): void {
    if (this.#isDecided) return;
    this.#decide(reject('rejected'));
    this.#over({ cause: 'canceled' });
  }

  /** Takes the media stream of the call. Returns null if the call has ended meanwhile. */
  connected(open: (transfer: TransferLeg) => MediaStream): MediaStream | null {
    if (this.#end !== null || this.#answering === null) return null;
    this.#timer.cancel();
    const stream = open((request) => this.#transfer(request));
    this.#stream = stream;
    stream.onEnd(() => void this.#streamEnded());
    this.#answering.resolve(stream.leg);
    return stream;
  }

  async #transfer(request: TransferRequest): Promise<TransferOutcome> {
    this.#transferring = transferBlind(this.id, request, this.to.number, this.#options);
    const outcome = await this.#transferring;
    this.#transferring = null;
    this.#isTransferred = outcome.type === 'accepted';
    return outcome;
  }

  #decide(document: string): void {
    this.#isDecided = true;
    this.#timer.cancel();
    this.#respond(document);
  }

  /** Twilio ends the stream of a transferred call, perhaps before it confirms the transfer. */
  async #streamEnded(): Promise<void> {
    if (this.#transferring !== null) {
      await this.#transferring;
      await new Promise<void>((resolve) => this.#options.clock.setTimer(0, resolve));
    }
    this.#over({ cause: 'remote-hangup' });
  }

  #over(end: LegEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#timer.cancel();
    this.#options.disconnect(this);
    this.#stream?.close();
    this.#answering?.reject(new VaError('leg_ended', 'The caller has gone.'));
    if (this.#onEnd !== null) this.#told(end);
  }

  #told(end: LegEnd): void {
    const listener = this.#onEnd;
    this.#onEnd = null;
    listener?.(end);
  }
}

function withResolver<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
