import type { CarrierIncomingCall } from './incoming-call.ts';

/** The answer of a webhook that waits for the decision about its call. */
export class WebhookAnswer {
  readonly #response: Promise<Response>;
  #resolve: (response: Response) => void = () => {};
  /** Requests that wait for the answer. */
  #waiting = 0;

  constructor() {
    this.#response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** The first response counts. */
  respond(response: Response): void {
    this.#resolve(response);
  }

  /**
   * Resolves to the response, which all requests get for the call. A carrier that gives up all of them has lost its
   * caller.
   */
  async of(request: Request, call: CarrierIncomingCall | null): Promise<Response> {
    this.#waiting += 1;
    const gaveUp = (): void => {
      this.#waiting -= 1;
      if (this.#waiting === 0) call?.abandoned();
    };
    request.signal.addEventListener('abort', gaveUp, { once: true });
    return (await this.#response).clone();
  }
}
