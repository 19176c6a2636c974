import type { Clock, Timer } from '@va/core/adapter';
import type { ReportedError } from './fault.ts';

/** Time limit for a provider to end a cancelled response. */
const cancelTimeoutMs = 5_000;
/**
 * Delay before a request is repeated that was rejected because of another active response. The request is repeated
 * earlier if the end of that response is reported.
 */
const retryDelayMs = 1_000;
const maxRefusals = 5;

/** Request for a response, with the number that the pipeline gave it. `say` is a fixed text to speak. */
export interface ResponseRequest {
  readonly response: number;
  readonly withTools: boolean;
  readonly say: string | undefined;
}

/** The provider's one active response. */
export interface ActiveResponse extends ResponseRequest {
  /** The provider's id of the response, once it has begun. */
  id: string | undefined;
  cancelled: boolean;
  /** True once the response had audio or a tool call. */
  hasOutput: boolean;
}

/** End of a response. */
export type ResponseOutcome =
  | { readonly status: 'completed' | 'cancelled' }
  | { readonly status: 'failed'; readonly retryable: boolean; readonly message: string };

/** A response without speech and tool calls counts as failed, because silence would leave the caller waiting. */
const empty: ResponseOutcome = { status: 'failed', retryable: true, message: 'the response contained no speech' };

/** Sends requests to the provider, and receives the ends of responses. */
export interface ResponsesHost {
  readonly clock: Clock;
  /** True if requests can be sent. */
  readonly isReady: boolean;
  sendRequest(request: ResponseRequest, eventId: string): void;
  sendCancel(id: string): void;
  finished(response: number, outcome: ResponseOutcome): void;
  /** Called when the active response has timed out and was reported as failed: the connection is unusable. */
  stalled(message: string): void;
}

/** Requests one response after the other: providers reject a second one while one is active. */
export class Responses {
  readonly #host: ResponsesHost;
  readonly #timeoutMs: number;
  #waiting: ResponseRequest[] = [];
  #active: ActiveResponse | undefined;
  #refusals = 0;
  /** Ids of unrequested responses, such as a response because of which a request was rejected. */
  readonly #foreign = new Set<string>();
  #timeout: Timer | undefined;
  #retry: Timer | undefined;

  constructor(host: ResponsesHost, timeoutMs: number) {
    this.#host = host;
    this.#timeoutMs = timeoutMs;
  }

  get isIdle(): boolean {
    return this.#active === undefined && this.#waiting.length === 0;
  }

  /**
   * Returns the active response if it has begun, was not cancelled, and an event with this response id belongs to it.
   * Events without an id belong to it. Restarts its time limit.
   */
  attribute(id: string | undefined): ActiveResponse | undefined {
    const active = this.#active;
    if (active?.id === undefined || (id !== undefined && id !== active.id)) return undefined;
    this.#arm(active.cancelled ? cancelTimeoutMs : this.#timeoutMs);
    return active.cancelled ? undefined : active;
  }

  isActive(id: string): boolean {
    return this.#active?.id === id;
  }

  request(request: ResponseRequest): void {
    this.#waiting.push(request);
    this.next();
  }

  /** Requests the next response if possible. */
  next(): void {
    if (!this.#host.isReady || this.#active !== undefined || this.#retry !== undefined) return;
    const request = this.#waiting.shift();
    if (request === undefined) return;
    this.#active = { ...request, id: undefined, cancelled: false, hasOutput: false };
    this.#arm(this.#timeoutMs);
    this.#host.sendRequest(request, eventId(request));
  }

  cancel(response: number): void {
    const waiting = this.#waiting.find((request) => request.response === response);
    if (waiting !== undefined) {
      this.#waiting = this.#waiting.filter((request) => request !== waiting);
      this.#host.finished(response, { status: 'cancelled' });
      return;
    }
    const active = this.#active;
    if (active?.response !== response || active.cancelled) return;
    active.cancelled = true;
    this.#arm(cancelTimeoutMs);
    // A cancel before the start of the response would be rejected: it is sent at the start.
    if (active.id !== undefined) this.#host.sendCancel(active.id);
  }

  began(id: string): void {
    const active = this.#active;
    if (active === undefined || active.id !== undefined) {
      this.#dismiss(id);
      return;
    }
    active.id = id;
    this.#refusals = 0;
    if (active.cancelled) this.#host.sendCancel(id);
  }

  ended(id: string, outcome: ResponseOutcome): void {
    const active = this.#active;
    if (active?.id === id) this.#finish(active, active.hasOutput || outcome.status !== 'completed' ? outcome : empty);
    else if (!this.#foreign.delete(id)) return;
    this.#endRetry();
    this.next();
  }

  /** Returns true if the error concerned the active response, which has then ended or is requested again. */
  refused({ eventId: about, code, fault, message }: ReportedError, retryable: boolean): boolean {
    const active = this.#active;
    if (active === undefined) return false;
    const isCancel = about === cancelId(active.id);
    if (isCancel || (code === 'response_cancel_not_active' && active.cancelled)) {
      this.#finish(active, { status: 'cancelled' });
    } else if (code === 'conversation_already_has_active_response') {
      // The response that was attributed to this request is the unrequested one.
      if (active.id !== undefined) this.#dismiss(active.id);
      this.#postpone(active, message);
    } else if (about === eventId(active) || (about === undefined && fault === 'unavailable')) {
      this.#finish(active, { status: 'failed', retryable, message });
    } else return false;
    this.next();
    return true;
  }

  /** Handles the loss of the connection: a started response fails, others are requested on the next connection. */
  lost(message: string): void {
    this.#foreign.clear();
    this.#endRetry();
    const active = this.#active;
    if (active === undefined) return;
    if (active.id !== undefined || active.cancelled)
      this.#finish(active, { status: 'failed', retryable: true, message });
    else this.#putBack(active);
  }

  close(): void {
    this.#timeout?.cancel();
    this.#endRetry();
    this.#waiting = [];
    this.#active = undefined;
  }

  /** Cancels an unrequested response. */
  #dismiss(id: string): void {
    this.#foreign.add(id);
    this.#host.sendCancel(id);
  }

  #finish(active: ActiveResponse, outcome: ResponseOutcome): void {
    this.#active = undefined;
    this.#timeout?.cancel();
    this.#host.finished(active.response, active.cancelled ? { status: 'cancelled' } : outcome);
  }

  #postpone(active: ActiveResponse, message: string): void {
    this.#refusals++;
    if (active.cancelled || this.#refusals > maxRefusals) {
      this.#refusals = 0;
      this.#finish(active, { status: 'failed', retryable: true, message });
      return;
    }
    this.#putBack(active);
    this.#retry = this.#host.clock.setTimer(retryDelayMs, () => {
      this.#endRetry();
      this.next();
    });
  }

  #putBack(active: ActiveResponse): void {
    this.#active = undefined;
    this.#timeout?.cancel();
    this.#waiting.unshift(active);
  }

  #endRetry(): void {
    this.#retry?.cancel();
    this.#retry = undefined;
  }

  #arm(timeoutMs: number): void {
    this.#timeout?.cancel();
    this.#timeout = this.#host.clock.setTimer(timeoutMs, () => {
      const message = `received no data of the response for ${timeoutMs} ms`;
      if (this.#active !== undefined) this.#finish(this.#active, { status: 'failed', retryable: true, message });
      this.#host.stalled(message);
    });
  }
}

function eventId({ response }: ResponseRequest): string {
  return `respond-${response}`;
}

/** Id of the client event that cancels the response with this provider id. */
export function cancelId(id: string | undefined): string {
  return `cancel-${id ?? ''}`;
}
