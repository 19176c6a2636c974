import type { CarrierIncomingCall } from './incoming-call.ts';

/** The response of a webhook, which is pending until the call is accepted or refused. */
export class WebhookAnswer {
  readonly #response: Promise<Response>;
  #resolve: (response: Response) => void = () => {};
  /** Number of requests that were not aborted. */
  #waiting = 0;

  constructor() {
    this.#response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Sets the response. Later ones are ignored. */
  respond(response: Response): void {
    this.#resolve(response);
  }

  /**
   * Resolves to the response, which is the same for all requests of a call. If all of them are aborted, the caller has
   * hung up.
   */
  async of(request: Request, call: CarrierIncomingCall | null): Promise<Response> {
    this.#waiting += 1;
    const gaveUp = (): void => {
      this.#waiting -= 1;
      if (this.#waiting === 0) call?.abandoned();
    };
    if (request.signal.aborted) gaveUp();
    else request.signal.addEventListener('abort', gaveUp, { once: true });
    return (await this.#response).clone();
  }
}
