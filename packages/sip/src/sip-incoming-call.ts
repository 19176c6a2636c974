import {
  type AudioFormat,
  type DialedNumber,
  type IncomingCall,
  type LegEnd,
  type MediaLeg,
  type Party,
  type RejectCause,
  toError,
  VaError,
} from '@va/core/adapter';
import { callingParty } from './calling-party.ts';
import type { IncomingInvite } from './dialog/invite/incoming-invite.ts';
import type { Admission } from './inbound-authorization.ts';
import type { RtpSession } from './media/rtp-session.ts';
import type { SipMediaLeg } from './media/sip-media-leg.ts';
import { parseUri } from './message/uri.ts';
import { referTransfer } from './refer-transfer.ts';

/** Retry-After, in seconds, for a caller that was rejected because the node is full. */
export const retryAfterSeconds = 5;

const refusals: Readonly<Record<RejectCause, number>> = {
  busy: 486,
  'not-found': 404,
  unavailable: 480,
  declined: 603,
  overloaded: 503,
  error: 500,
};

interface DeferredLeg {
  readonly promise: Promise<MediaLeg>;
  readonly resolve: (leg: MediaLeg) => void;
  readonly reject: (error: Error) => void;
}

function createDeferredLeg(): DeferredLeg {
  let resolve: (leg: MediaLeg) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<MediaLeg>((onResolved, onRejected) => {
    resolve = onResolved;
    reject = onRejected;
  });
  return { promise, resolve, reject };
}

interface SipIncomingCallOptions {
  readonly invite: IncomingInvite;
  /** The expected media, if the caller made an offer. */
  readonly format: AudioFormat | undefined;
  readonly admission: Admission;
  /** Binds the RTP socket when the call is about to be answered. */
  readonly openMedia: () => Promise<RtpSession<SipMediaLeg>>;
  /** Called once when the call has ended. */
  readonly onOver: () => void;
}

/** An incoming INVITE as an `IncomingCall` of the telephony port. */
export class SipIncomingCall implements IncomingCall {
  readonly id: string;
  readonly from: Party;
  readonly to: Party;
  readonly format: AudioFormat | undefined;
  readonly dialed: DialedNumber | undefined;
  readonly #invite: IncomingInvite;
  readonly #openMedia: () => Promise<RtpSession<SipMediaLeg>>;
  readonly #onOver: () => void;
  #answering: DeferredLeg | null = null;
  #media: RtpSession<SipMediaLeg> | null = null;
  #end: LegEnd | null = null;
  #onEnd: ((end: LegEnd) => void) | null = null;

  constructor({ invite, format, admission, openMedia, onOver }: SipIncomingCallOptions) {
    const { envelope } = invite;
    this.id = envelope.callId;
    this.from = callingParty(invite, admission.trunk !== undefined);
    this.to = admission.to;
    this.format = format;
    this.dialed = admission.dialed;
    this.#invite = invite;
    this.#openMedia = openMedia;
    this.#onOver = onOver;
    invite.listen({
      onConfirmed: () => this.#onConfirmed(),
      onEnd: (end) => this.#finish(end),
    });
  }

  ring(): void {
    this.#invite.ring();
  }

  answer(): Promise<MediaLeg> {
    if (this.#answering === null) {
      this.#answering = createDeferredLeg();
      // A failure that no caller awaits must not end the process as an unhandled rejection.
      this.#answering.promise.catch(() => {});
      if (this.#end !== null) this.#answering.reject(callOver());
      else void this.#accept();
    }
    return this.#answering.promise;
  }

  reject(cause: RejectCause): void {
    const hint: [string, string][] = cause === 'overloaded' ? [['Retry-After', String(retryAfterSeconds)]] : [];
    this.#invite.reject(refusals[cause], hint);
  }

  hangup(): void {
    this.#invite.hangup();
  }

  onEnd(listener: (end: LegEnd) => void): void {
    this.#onEnd = listener;
    if (this.#end !== null) listener(this.#end);
  }

  async #accept(): Promise<void> {
    let media: RtpSession<SipMediaLeg>;
    try {
      media = await this.#openMedia();
    } catch (error) {
      this.#answering?.reject(toError(error));
      this.reject('overloaded');
      return;
    }
    if (this.#end !== null) {
      media.close();
      return;
    }
    media.leg.transfer = referTransfer({
      session: () => this.#invite.session,
      referredBy: this.to.uri,
      host: hostOf(this.from.uri),
    });
    this.#media = media;
    this.#invite.accept(media);
  }

  #onConfirmed(): void {
    if (this.#media !== null) this.#answering?.resolve(this.#media.leg);
  }

  #finish(end: LegEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#onOver();
    this.#answering?.reject(callOver());
    this.#onEnd?.(end);
  }
}

function hostOf(uri: string): string {
  return parseUri(uri)?.host ?? '';
}

function callOver(): VaError {
  return new VaError('call_over', 'The call ended before its answer was acknowledged.');
}
