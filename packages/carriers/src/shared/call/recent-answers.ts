import type { CarrierIncomingCall } from './incoming-call.ts';
import { WebhookAnswer } from './webhook-answer.ts';

/** Maximum number of remembered calls; the oldest one is evicted. */
const maxAnswers = 1_024;

interface Remembered {
  readonly answer: WebhookAnswer;
  readonly call: CarrierIncomingCall | null;
}

/** Responses of recent webhooks by call, because carriers repeat a webhook whose response they missed. */
export class RecentAnswers {
  readonly #answers = new Map<string, Remembered>();

  /**
   * Returns the response for a call. The first webhook of a call creates the call.
   *
   * @param trunkId trunk that authenticated the webhook, so that an account cannot read responses for another one
   */
  async of(
    request: Request,
    { trunkId, callId }: { readonly trunkId: string; readonly callId: string },
    begin: (answer: WebhookAnswer) => CarrierIncomingCall | null,
  ): Promise<Response> {
    const key = `${trunkId} ${callId}`;
    const { answer, call } = this.#answers.get(key) ?? this.#begin(key, begin);
    return await answer.of(request, call);
  }

  #begin(key: string, begin: (answer: WebhookAnswer) => CarrierIncomingCall | null): Remembered {
    const answer = new WebhookAnswer();
    const remembered = { answer, call: begin(answer) };
    this.#answers.set(key, remembered);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > maxAnswers && oldest !== undefined) this.#answers.delete(oldest);
    return remembered;
  }
}
