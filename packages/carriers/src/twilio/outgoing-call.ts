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
import { ApiTransfer } from '../shared/api-transfer.ts';
import { CallEnd } from '../shared/call-end.ts';
import type { TransferLeg } from '../shared/stream-leg.ts';
import { TwilioError } from './api.ts';
import type { MediaStream } from './media-stream.ts';
import { hangUp, type SessionContext, transferBlind, update } from './session.ts';

/** Longest ringing that Twilio is asked for; the service gives up earlier. */
const ringSeconds = 180;
/** Time from the answer of the callee to the media stream. */
const streamMs = 10_000;

/** Codes of Twilio's error dictionary for destinations that cannot be called. */
const invalidDestinations = new Set([13_223, 13_224, 21_201, 21_211, 21_214, 21_217, 21_401, 21_421]);
const sipFailures: Readonly<Record<number, DialFailure>> = {
  404: 'invalid-destination',
  484: 'invalid-destination',
  604: 'invalid-destination',
  603: 'declined',
  607: 'declined',
  608: 'declined',
  486: 'busy',
  600: 'busy',
  408: 'no-answer',
  480: 'no-answer',
  487: 'no-answer',
};

/** A status of Twilio's status callback. */
export interface CallStatus {
  readonly status: string;
  /** Callbacks may arrive out of order: later ones have higher numbers. */
  readonly sequence: number;
  readonly sipStatus: number | null;
}

export interface TwilioOutgoingOptions extends SessionContext {
  readonly request: CarrierDialRequest<'twilio'>;
  /** Document that connects the answered call with its stream. */
  readonly document: string;
  readonly statusUrl: string;
  readonly release: () => void;
}

/** A call placed by Twilio's API; answered when its media stream opens. */
export class TwilioOutgoingCall implements OutgoingCall {
  readonly #options: TwilioOutgoingOptions;
  readonly #creating = new AbortController();
  readonly #answered: Promise<MediaLeg>;
  #answering: { resolve(leg: MediaLeg): void; reject(error: Error): void } | null = null;
  #sid: string | null = null;
  #stream: MediaStream | null = null;
  #lastSequence = -1;
  #timer: Timer | null = null;
  #isHungUp = false;
  #transfer: ApiTransfer | null = null;
  readonly #end = new CallEnd();

  constructor(options: TwilioOutgoingOptions) {
    this.#options = options;
    this.#answered = new Promise((resolve, reject) => {
      this.#answering = { resolve, reject };
    });
    this.#answered.catch(() => {});
    void this.#create();
  }

  /** The SID of the call; the service's id until it is known. */
  get id(): string {
    return this.#sid ?? this.#options.request.callId;
  }

  whenAnswered(): Promise<MediaLeg> {
    return this.#answered;
  }

  hangup(): void {
    if (this.#end.isOver || this.#isHungUp) return;
    this.#isHungUp = true;
    if (this.#transfer?.isDone === true) this.#over({ cause: 'local-hangup' });
    else if (this.#sid !== null) void this.#hangUpKnown(this.#sid);
  }

  onEnd(listener: (end: LegEnd) => void): void {
    this.#end.onEnd(listener);
  }

  /** Takes the media stream of the call. Returns null if the call has ended meanwhile. */
  connected(callSid: string, open: (transfer: TransferLeg) => MediaStream): MediaStream | null {
    if (this.#end.isOver || this.#stream !== null) return null;
    this.#timer?.cancel();
    this.#sid ??= callSid;
    const transfer = new ApiTransfer(
      (request) => transferBlind(callSid, request, this.#options.request.callerNumber, this.#options),
      this.#options.clock,
    );
    this.#transfer = transfer;
    const stream = open((request) => transfer.request(request));
    this.#stream = stream;
    stream.onEnd(() => {
      const cause = this.#isHungUp ? 'local-hangup' : 'remote-hangup';
      void transfer.settled().then(() => this.#over({ cause }));
    });
    this.#answering?.resolve(stream.leg);
    return stream;
  }

  /** Takes a status callback; older ones than the last are ignored. */
  status({ status, sequence, sipStatus }: CallStatus): void {
    if (sequence <= this.#lastSequence || this.#end.isOver) return;
    this.#lastSequence = sequence;
    if (status === 'in-progress') {
      if (this.#stream === null) this.#awaitStream();
      return;
    }
    if (status === 'completed') {
      if (this.#stream !== null) this.#stream.close();
      else this.#over(this.#notAnswered('failed', 'The call ended before its media stream opened.'));
      return;
    }
    const why = failureOf(status, sipStatus);
    if (why === null) return;
    const detail = sipStatus === null ? '' : ` (SIP ${sipStatus})`;
    this.#over(this.#isHungUp ? { cause: 'local-hangup' } : this.#notAnswered(why, `Twilio: ${status}${detail}.`));
  }

  async #create(): Promise<void> {
    const { request, api, document, statusUrl } = this.#options;
    const events = ['initiated', 'ringing', 'answered', 'completed'];
    try {
      this.#sid = await api.create(
        [
          ['To', request.destination],
          ['From', request.callerNumber],
          ['Twiml', document],
          ['Timeout', String(ringSeconds)],
          ['StatusCallback', statusUrl],
          ...events.map((event) => ['StatusCallbackEvent', event] as const),
        ],
        this.#creating.signal,
      );
    } catch (thrown) {
      const why = thrown instanceof TwilioError && invalidDestinations.has(thrown.twilioCode ?? 0);
      this.#over(this.#notAnswered(why ? 'invalid-destination' : 'failed', toError(thrown).message));
      return;
    }
    if (this.#isHungUp) await this.#hangUpKnown(this.#sid);
  }

  /** A call that still rings is cancelled; one that was answered meanwhile is completed by the same status. */
  async #hangUpKnown(sid: string): Promise<void> {
    if (this.#stream !== null) await hangUp(sid, this.#stream, this.#options);
    else await update(sid, { Status: 'completed' }, this.#options);
    this.#over({ cause: 'local-hangup' });
  }

  #awaitStream(): void {
    this.#timer ??= this.#options.clock.setTimer(streamMs, () => {
      if (this.#sid !== null) void update(this.#sid, { Status: 'completed' }, this.#options);
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
    this.#stream?.close();
    this.#end.report();
    this.#answering?.reject(new VaError('leg_ended', 'The call was not answered, or has ended.'));
  }
}

function failureOf(status: string, sipStatus: number | null): DialFailure | null {
  switch (status) {
    case 'busy':
      return 'busy';
    case 'no-answer':
    case 'canceled':
      return 'no-answer';
    case 'failed':
      return (sipStatus === null ? undefined : sipFailures[sipStatus]) ?? 'failed';
    default:
      return null;
  }
}
