import type { IncomingHttpHeaders } from 'node:http';
import type { CarrierAccess, CarrierDialRequest, DialFailure, TelephonyHost } from '@va/core/adapter';
import { ringSeconds } from '../shared/call/outgoing-call.ts';
import { partyOf } from '../shared/call/party.ts';
import { WebhookAnswer } from '../shared/call/webhook-answer.ts';
import { CarrierTelephony } from '../shared/carrier-telephony.ts';
import { xmlResponse } from '../shared/web/xml.ts';
import { TwilioApi } from './api.ts';
import { refusalOf, reportOf } from './failures.ts';
import type { TwilioOptions } from './options.ts';
import { isSigned } from './signature.ts';
import { readStart } from './stream.ts';
import { connectStream, reject } from './twiml.ts';

/** Time within which an agent must accept a call: Twilio waits 15 s for a webhook response. */
const decisionMs = 13_000;

/** Telephony over Twilio's webhooks, API and media streams. */
export class TwilioTelephony extends CarrierTelephony<'twilio'> {
  constructor(options: TwilioOptions) {
    super(options, { type: 'twilio', name: 'Twilio', tokenIn: 'start', readStart });
  }

  protected async serve(host: TelephonyHost, request: Request, path: string): Promise<Response> {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const form = new URLSearchParams(await request.text());
    if (path === '/voice') return await this.#incoming(host, request, form);
    const key = /^\/status\/([0-9a-f]{32})$/.exec(path)?.[1];
    return key === undefined ? new Response(null, { status: 404 }) : this.#status(key, request, form);
  }

  protected commandsOf(access: CarrierAccess<'twilio'>): TwilioApi {
    return new TwilioApi(access, this.options.apiUrl);
  }

  protected refusalOf(error: Error): DialFailure {
    return refusalOf(error);
  }

  protected async place(
    { destination, callerNumber }: CarrierDialRequest,
    access: CarrierAccess<'twilio'>,
    { token, key }: { readonly token: string; readonly key: string },
  ): Promise<string> {
    const events = ['initiated', 'ringing', 'answered', 'completed'];
    return await this.commandsOf(access).create([
      ['To', destination],
      ['From', callerNumber],
      ['Twiml', connectStream(this.streamUrl(), token)],
      ['Timeout', String(ringSeconds)],
      ['StatusCallback', `${this.publicUrl}/status/${key}`],
      ...events.map((event) => ['StatusCallbackEvent', event] as const),
    ]);
  }

  /** Checks the signature of the upgrade request. */
  protected override isProven(headers: IncomingHttpHeaders, access: CarrierAccess<'twilio'>): boolean {
    const signature = headers['x-twilio-signature'];
    const signed = { url: this.streamUrl(), form: new URLSearchParams() };
    return isSigned(signed, typeof signature === 'string' ? signature : null, access.credentials.auth_token);
  }

  /** Delays the response until the agent has accepted or refused the call. */
  async #incoming(host: TelephonyHost, request: Request, form: URLSearchParams): Promise<Response> {
    const callId = form.get('CallSid');
    const account = form.get('AccountSid') ?? '';
    const signature = request.headers.get('x-twilio-signature');
    const urls = [request.url, `${this.publicUrl}/voice${new URL(request.url).search}`];
    const line = await this.lineOf(host, {
      dialed: form.get('To') ?? '',
      account,
      isAccount: (each) => 'account_sid' in each && each.account_sid === account,
      isSigned: ({ credentials }) => urls.some((url) => isSigned({ url, form }, signature, credentials.auth_token)),
    });
    if (line === null || callId === null) return new Response(null, { status: 403 });
    const answer = new WebhookAnswer();
    const call = this.announce(host, {
      callId,
      line,
      decisionMs,
      from: partyOf(form.get('From'), form.get('CallerName')),
      to: { ...partyOf(form.get('To')), number: line.number.number },
      accept: (token) => answer.respond(xmlResponse(connectStream(this.streamUrl(), token))),
      refuse: (cause) =>
        answer.respond(xmlResponse(reject(cause === 'busy' || cause === 'overloaded' ? 'busy' : 'rejected'))),
    });
    return await answer.of(request, call);
  }

  #status(key: string, request: Request, form: URLSearchParams): Response {
    const placed = this.placed.find(key);
    // Acknowledges reports of ended calls, so that Twilio does not repeat them.
    if (placed === null) return new Response(null, { status: 204 });
    const signature = request.headers.get('x-twilio-signature');
    const url = `${this.publicUrl}/status/${key}`;
    if (!isSigned({ url, form }, signature, placed.access.credentials.auth_token)) {
      return new Response(null, { status: 403 });
    }
    const sipStatus = Number(form.get('SipResponseCode') ?? Number.NaN);
    const report = reportOf(form.get('CallStatus') ?? '', Number.isInteger(sipStatus) ? sipStatus : null);
    this.reported(placed, report);
    return new Response(null, { status: 204 });
  }
}
