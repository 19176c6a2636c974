import type { CarrierIncomingCall } from './incoming-call.ts';
import { WebhookAnswer } from './webhook-answer.ts';

/** Remembered calls; the oldest is forgotten. */
const maxAnswers = 1_024;

interface Remembered {
  readonly answer: WebhookAnswer;
  readonly call: CarrierIncomingCall | null;
}

/** Answers of the last webhooks, by their call: a carrier repeats a webhook whose answer it missed. */
export class RecentAnswers {
  readonly #answers = new Map<string, Remembered>();

  /**
   * Returns the answer for a call, and begins the call with its first webhook.
   *
   * @param trunkId trunk that the webhook is signed for: an account must not get answers for calls of another
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
