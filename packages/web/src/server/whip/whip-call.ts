import { type CallGrant, type IncomingCall, type LegEnd, type MediaLeg, type Party, VaError } from '@va/core/adapter';
import { type AudioFormat, encodingOf, formatOf, TimerSlot } from '@va/media';
import { resumeWithinMs } from '../../protocol/messages.ts';
import { webParty } from '../web-party.ts';
import { WebRtcAudio } from '../webrtc/web-rtc-audio.ts';
import type { AcceptedOffer, WebRtcSetup } from '../webrtc/web-rtc-connection.ts';

/** Interval at which the connection is checked, which is shorter than the timeout of a lost connection. */
const watchEveryMs = 1_000;

/** A call of a WHIP client, with audio over one WebRTC connection. */
export class WhipCall implements IncomingCall {
  readonly id: string;
  readonly from: Party = webParty;
  readonly to: Party = webParty;
  readonly grant: CallGrant;
  readonly format: AudioFormat;
  /** SDP answer for the client. */
  readonly answerSdp: string;
  readonly #audio: WebRtcAudio;
  readonly #timer: TimerSlot;
  readonly #release: () => void;
  #waiting: (() => void)[] = [];
  #wasConnected = false;
  #end: LegEnd | null = null;
  #onEnd: ((end: LegEnd) => void) | null = null;

  /** @param release called once, when the call has ended */
  constructor(grant: CallGrant, setup: WebRtcSetup, offer: AcceptedOffer, release: () => void) {
    this.id = `whip-${grant.callId}`;
    this.grant = grant;
    this.#release = release;
    this.#timer = new TimerSlot(setup.clock);
    const encoding = encodingOf(offer.agreement.codec.format);
    this.format = formatOf(encoding);
    this.#audio = new WebRtcAudio(setup, encoding, {
      onConnected: () => this.#connected(),
      onClosed: () => this.leave(),
      onFailed: (reason) => this.#over({ cause: 'transport-error', message: `WebRTC: ${reason}.` }),
    });
    this.answerSdp = this.#audio.answerAccepted(offer);
  }

  ring(): void {}

  answer(): Promise<MediaLeg> {
    return new Promise((resolve, reject) => {
      const answer = (): void => {
        if (this.#end === null) resolve(this.#audio);
        else reject(new VaError('leg_ended', 'The caller hung up before the call was answered.'));
      };
      if (this.#wasConnected || this.#end !== null) answer();
      else this.#waiting.push(answer);
    });
  }

  reject(): void {
    this.#over({ cause: 'local-hangup' });
  }

  hangup(): void {
    this.#over({ cause: 'local-hangup' });
  }

  onEnd(listener: (end: LegEnd) => void): void {
    this.#onEnd = listener;
    if (this.#end !== null) listener(this.#end);
  }

  /** Ends the call on request of the client. */
  leave(): void {
    this.#over(this.#wasConnected ? { cause: 'remote-hangup' } : { cause: 'canceled' });
  }

  #connected(): void {
    this.#wasConnected = true;
    this.#settle();
    this.#watch();
  }

  #watch(): void {
    this.#timer.set(watchEveryMs, () => {
      if (this.#audio.silentMs < resumeWithinMs) this.#watch();
      else this.#over({ cause: 'transport-error', message: 'The WebRTC connection was lost.' });
    });
  }

  #settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const answer of waiting) answer();
  }

  #over(end: LegEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#timer.clear();
    this.#audio.close();
    this.#settle();
    this.#release();
    const onEnd = this.#onEnd;
    this.#onEnd = null;
    onEnd?.(end);
  }
}
