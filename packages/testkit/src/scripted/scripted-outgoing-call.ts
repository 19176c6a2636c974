import type { DialFailure, DialRequest, LegEnd, MediaLeg, OutgoingCall } from '@va/core/adapter';
import { ScriptedLeg } from './scripted-leg.ts';

/** An outgoing call without a network: the test plays the callee. */
export class ScriptedOutgoingCall extends ScriptedLeg implements OutgoingCall {
  readonly id: string;
  readonly request: DialRequest;
  readonly #answer: Promise<MediaLeg>;
  #resolve: (leg: MediaLeg) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(id: string, request: DialRequest) {
    super();
    this.id = id;
    this.request = request;
    this.#answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#answer.catch(() => {});
  }

  /** Answers the call, as the callee. */
  pickUp(): void {
    if (this.end !== null) return;
    this.answered = true;
    this.#resolve(this);
  }

  /** Ends the call before an answer, as the callee or the network would. */
  refuse(why: DialFailure, message = `refused: ${why}`): void {
    this.finish({ cause: 'not-answered', why, message });
  }

  whenAnswered(): Promise<MediaLeg> {
    return this.#answer;
  }

  protected override finish(end: LegEnd): void {
    super.finish(end);
    this.#reject(new Error('the call has ended'));
  }
}
