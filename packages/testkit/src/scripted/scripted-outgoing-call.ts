import type { DialFailure, DialRequest, LegEnd, MediaLeg, OutgoingCall } from '@va/core';
import { ScriptedLeg } from './scripted-leg.ts';

/** A call that the service places, without a network: the test plays whoever is called. */
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

  /** The far end picks up. */
  pickUp(): void {
    if (this.end !== null) return;
    this.answered = true;
    this.#resolve(this);
  }

  /** The far end, or the network, does not take the call. */
  refuse(why: DialFailure, message = `refused: ${why}`): void {
    this.finish({ cause: 'not-answered', why, message });
  }

  whenAnswered(): Promise<MediaLeg> {
    return this.#answer;
  }

  protected override finish(end: LegEnd): void {
    super.finish(end);
    this.#reject(new Error('The call is over.'));
  }
}
