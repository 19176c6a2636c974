import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Clock, systemClock } from '@va/core/adapter';
import { LocalServer, objectOf } from '../provider-servers/local-server.ts';
import type { CarrierCall, StreamFaults } from './carrier-call.ts';

/** Behaviour of the phone that an outgoing call reaches. */
export type CarrierCallee =
  | { readonly does: 'answer'; readonly afterMs?: number }
  | { readonly does: 'ring' | 'busy' | 'no-answer' | 'decline' | 'fail' }
  /** No phone has the number. */
  | { readonly does: 'not-exist' }
  /** The API refuses the request, because of its destination or its credentials. */
  | { readonly does: 'refuse'; readonly why: 'destination' | 'credentials' };

/** Options of a carrier server. Without options, callees answer at once and nothing fails. */
export interface CarrierServerOptions {
  readonly clock?: Clock;
  /** Returns the behaviour of the phone that a number reaches. Default: it answers at once. */
  readonly callee?: (to: string) => CarrierCallee;
  /** Delivers the reports about a placed call last to first. */
  readonly reversesCallbacks?: true;
  /** Closes the connection of the first API request instead of responding, although the requested call was placed. */
  readonly dropsFirstAnswer?: true;
  readonly faults?: StreamFaults;
}

/** Inbound call that a test starts at a carrier server. */
export interface ReceivedCall {
  readonly from: string;
  readonly to: string;
  /** URL of the adapter: `<publicUrl>/telephony/<id>`. */
  readonly adapterUrl: string;
  /** Signs the webhook with a secret that is not the account's. */
  readonly forged?: true;
}

/** A request to the API, as the server received it. */
export interface CarrierApiRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly body: string;
  /** Fields of a form or of a JSON object. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Fields of a trunk that stands for an account. */
export interface CarrierTrunk {
  readonly type: 'twilio' | 'telnyx' | 'plivo' | 'vonage';
  readonly account: Readonly<Record<string, string | boolean>>;
  readonly credentials: Readonly<Record<string, string>>;
}

/** Sends the response to an API request: an HTTP status and a JSON body, or no body. */
export type SendResponse = (status: number, body: object | null) => void;

/** A carrier on loopback: its API, signed webhooks, and media streams. */
export abstract class CarrierServer<C extends CarrierCall = CarrierCall> {
  readonly requests: CarrierApiRequest[] = [];
  readonly calls: C[] = [];
  /** HTTP statuses of the service's answers to reports. */
  readonly callbackStatuses: number[] = [];
  protected readonly options: CarrierServerOptions;
  protected readonly clock: Clock;
  readonly #server = new LocalServer();
  #hasDropped = false;

  protected constructor(options: CarrierServerOptions) {
    this.options = options;
    this.clock = options.clock ?? systemClock;
  }

  /** Fields of the trunk that stands for the carrier's account. */
  abstract readonly trunk: CarrierTrunk;

  /** Calls a number. Resolves, once its webhook was answered, to the call and the HTTP status of the answer. */
  abstract receive(call: ReceivedCall): Promise<{ call: C; status: number }>;

  /** Base URL of the API. */
  get url(): string {
    return `http://${this.#server.host}`;
  }

  async close(): Promise<void> {
    for (const call of this.calls) call.end();
    await this.#server.close();
  }

  protected async listen(): Promise<void> {
    this.#server.http.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.#serve(request, response);
    });
    await this.#server.listen();
  }

  /** Answers a request to the API. */
  protected abstract answerRequest(request: CarrierApiRequest, answer: SendResponse): void;

  protected calleeOf(to: string): CarrierCallee {
    return this.options.callee?.(to) ?? { does: 'answer' };
  }

  protected find(id: string): C | undefined {
    return this.calls.find((call) => call.id === id && !call.ended);
  }

  /**
   * Simulates the phone of a placed call. After a delay, runs `answer` if the phone answers, and then sends the
   * reports: in order, or last to first with `reversesCallbacks`.
   */
  protected ring(callee: CarrierCallee, answer: () => Promise<void> | void, reports: readonly Report[]): void {
    const deliver = async (): Promise<void> => {
      if (callee.does === 'answer') await answer();
      for (const report of this.options.reversesCallbacks === true ? [...reports].reverse() : reports) {
        await this.report(report);
      }
    };
    // A client must know the call before its reports come.
    const delayMs = callee.does === 'answer' ? (callee.afterMs ?? 20) : 20;
    this.clock.setTimer(delayMs, () => void deliver().catch(() => {}));
  }

  protected async report(send: Report): Promise<void> {
    const response = await send().catch(() => null);
    if (response !== null) this.callbackStatuses.push(response.status);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const isJson = request.headers['content-type']?.startsWith('application/json') === true;
    const received: CarrierApiRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      authorization: request.headers.authorization ?? '',
      body,
      fields: isJson ? objectOf(body) : Object.fromEntries(new URLSearchParams(body)),
    };
    this.requests.push(received);
    this.answerRequest(received, (status, answer) => {
      if (this.options.dropsFirstAnswer === true && !this.#hasDropped) {
        this.#hasDropped = true;
        response.destroy();
      } else if (answer === null) response.writeHead(status).end();
      else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  }
}

/** Sends a report about a call. */
export type Report = () => Promise<Response>;

/** Returns a UUID that depends on the text alone. */
export function uuidOf(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
