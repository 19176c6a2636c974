import type { CarrierIncomingCall } from './incoming-call.ts';

/** The answer of a webhook that waits for the decision about its call. */
export class WebhookAnswer {
  readonly #response: Promise<Response>;
  #resolve: (response: Response) => void = () => {};

  constructor() {
    this.#response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** The first response counts. */
  respond(response: Response): void {
    this.#resolve(response);
  }

  /** Resolves to the response. A carrier that gives up the request has lost its caller. */
  of(request: Request, call: CarrierIncomingCall | null): Promise<Response> {
    request.signal.addEventListener('abort', () => call?.abandoned(), { once: true });
    return this.#response;
  }
}
