import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Clock, systemClock } from '@va/core/adapter';
import { LocalServer } from '../provider-servers/local-server.ts';
import { TwilioCall, type TwilioStreamFaults } from './twilio/twilio-call.ts';
import { twilioSignature } from './twilio/twilio-signature.ts';

export { TwilioCall, type TwilioStreamFaults } from './twilio/twilio-call.ts';
export { twilioSignature } from './twilio/twilio-signature.ts';

/** What the phone of an outgoing call does. */
export type TwilioCallee =
  | { readonly does: 'answer'; readonly afterMs?: number }
  | { readonly does: 'ring' | 'busy' | 'no-answer' }
  | { readonly does: 'fail'; readonly sipStatus: number }
  /** Twilio refuses the request. */
  | { readonly does: 'refuse'; readonly status: number; readonly code: number };

export interface TwilioServerOptions {
  readonly accountSid?: string;
  readonly authToken?: string;
  readonly clock?: Clock;
  /** The phones of outgoing calls, by number; answers at once by default. */
  readonly callee?: (to: string) => TwilioCallee;
  /** Delivers the status callbacks of a call in this order, such as [2, 0, 1]. In order by default. */
  readonly callbackOrder?: readonly number[];
  readonly faults?: TwilioStreamFaults;
}

export interface IncomingTwilioCall {
  readonly from: string;
  readonly to: string;
  /** Voice URL of the number. */
  readonly voiceUrl: string;
  /** Signs with this token in place of the account's. */
  readonly authToken?: string;
}

/** A request to the API, as the server received it. */
export interface TwilioRequest {
  readonly path: string;
  readonly authorization: string;
  readonly fields: URLSearchParams;
}

const sids = { account: `AC${'a'.repeat(32)}`, token: 'twilio-auth-token' };

/**
 * Twilio's voice API, webhooks and media streams on loopback.
 *
 * @example const twilioServer = await TwilioServer.start(); twilio({ apiUrl: twilioServer.url });
 */
export class TwilioServer {
  readonly accountSid: string;
  readonly authToken: string;
  readonly requests: TwilioRequest[] = [];
  readonly calls: TwilioCall[] = [];
  /** HTTP statuses of the service's answers to callbacks. */
  readonly callbackStatuses: number[] = [];
  readonly #server = new LocalServer();
  readonly #options: TwilioServerOptions;
  readonly #clock: Clock;
  #next = 0;

  private constructor(options: TwilioServerOptions) {
    this.#options = options;
    this.accountSid = options.accountSid ?? sids.account;
    this.authToken = options.authToken ?? sids.token;
    this.#clock = options.clock ?? systemClock;
  }

  static async start(options: TwilioServerOptions = {}): Promise<TwilioServer> {
    const server = new TwilioServer(options);
    server.#server.http.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void server.#serve(request, response);
    });
    await server.#server.listen();
    return server;
  }

  /** Base URL of the API. */
  get url(): string {
    return `http://${this.#server.host}`;
  }

  async close(): Promise<void> {
    for (const call of this.calls) call.end();
    await this.#server.close();
  }

  /** Calls a number: sends its webhook, and executes the answer. Resolves to the call and the answer's status. */
  async call({ from, to, voiceUrl, authToken }: IncomingTwilioCall): Promise<{ call: TwilioCall; status: number }> {
    const call = this.#newCall();
    const form = {
      AccountSid: this.accountSid,
      ApiVersion: '2010-04-01',
      CallSid: call.sid,
      CallStatus: 'ringing',
      Direction: 'inbound',
      From: from,
      To: to,
    };
    const response = await this.#post(voiceUrl, form, authToken);
    const document = await response.text();
    if (response.ok) call.execute(document);
    else call.end();
    return { call, status: response.status };
  }

  #newCall(): TwilioCall {
    const sid = `CA${String(this.#next++).padStart(32, '0')}`;
    const { faults } = this.#options;
    const call = new TwilioCall(sid, {
      accountSid: this.accountSid,
      authToken: this.authToken,
      clock: this.#clock,
      faults,
    });
    this.calls.push(call);
    return call;
  }

  async #post(url: string, form: Record<string, string>, authToken = this.authToken): Promise<Response> {
    return await fetch(url, {
      method: 'POST',
      headers: { 'x-twilio-signature': twilioSignature(authToken, url, form) },
      body: new URLSearchParams(form),
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const authorization = request.headers.authorization ?? '';
    const fields = new URLSearchParams(await text(request));
    this.requests.push({ path, authorization, fields });
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const expected = `Basic ${Buffer.from(`${this.accountSid}:${this.authToken}`).toString('base64')}`;
    if (authorization !== expected) {
      answer(401, { code: 20_003, message: 'Authenticate', status: 401 });
      return;
    }
    const base = `/2010-04-01/Accounts/${this.accountSid}/Calls`;
    if (path === `${base}.json`) this.#create(fields, answer);
    else if (path.startsWith(`${base}/`)) this.#update(path.slice(base.length + 1, -'.json'.length), fields, answer);
    else answer(404, { code: 20_404, message: 'Not found', status: 404 });
  }

  #create(fields: URLSearchParams, answer: (status: number, body: object) => void): void {
    const to = fields.get('To') ?? '';
    const callee = this.#options.callee?.(to) ?? { does: 'answer' };
    if (callee.does === 'refuse') {
      answer(callee.status, { code: callee.code, message: 'The request was refused.', status: callee.status });
      return;
    }
    const call = this.#newCall();
    answer(201, { sid: call.sid, status: 'queued' });
    this.#ring(call, callee, fields);
  }

  #ring(call: TwilioCall, callee: Exclude<TwilioCallee, { does: 'refuse' }>, fields: URLSearchParams): void {
    const statusUrl = fields.get('StatusCallback') ?? '';
    const twiml = fields.get('Twiml') ?? '';
    const statuses: [status: string, more?: Record<string, string>][] = [['initiated'], ['ringing']];
    if (callee.does === 'busy' || callee.does === 'no-answer') statuses.push([callee.does]);
    if (callee.does === 'fail') statuses.push(['failed', { SipResponseCode: String(callee.sipStatus) }]);
    if (callee.does === 'answer') statuses.push(['in-progress']);
    call.onEnd(() => void this.#status(call, statusUrl, 'completed', statuses.length));
    const deliver = async (): Promise<void> => {
      const order = this.#options.callbackOrder ?? statuses.map((_, at) => at);
      if (callee.does === 'answer') call.execute(twiml);
      for (const at of order) {
        const [status, more] = statuses[at] ?? [];
        if (status !== undefined) await this.#status(call, statusUrl, status, at, more);
      }
    };
    this.#clock.setTimer(callee.does === 'answer' ? (callee.afterMs ?? 0) : 0, () => void deliver().catch(() => {}));
  }

  async #status(
    call: TwilioCall,
    url: string,
    status: string,
    sequence: number,
    more: Record<string, string> = {},
  ): Promise<void> {
    const form = { CallSid: call.sid, CallStatus: status, SequenceNumber: String(sequence), ...more };
    const response = await this.#post(url, form).catch(() => null);
    if (response !== null) this.callbackStatuses.push(response.status);
  }

  #update(sid: string, fields: URLSearchParams, answer: (status: number, body: object) => void): void {
    const call = this.calls.find((each) => each.sid === sid && !each.ended);
    if (call === undefined) {
      answer(404, { code: 20_404, message: `The call ${sid} is over.`, status: 404 });
      return;
    }
    const twiml = fields.get('Twiml');
    answer(200, { sid, status: 'in-progress' });
    if (twiml !== null) call.execute(twiml);
    else call.end();
  }
}
