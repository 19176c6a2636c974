import type { CarrierAccess, CarrierDialRequest, DialFailure, TelephonyHost } from '@va/core/adapter';
import { ringSeconds } from '../shared/call/outgoing-call.ts';
import { partyOf, withPlus } from '../shared/call/party.ts';
import { RecentAnswers } from '../shared/call/recent-answers.ts';
import { CarrierTelephony } from '../shared/carrier-telephony.ts';
import { xmlResponse } from '../shared/web/xml.ts';
import { PlivoApi } from './api.ts';
import { Documents } from './documents.ts';
import { reportOf } from './failures.ts';
import type { PlivoOptions } from './options.ts';
import { connectStream, reject } from './plivo-xml.ts';
import { isSigned, type PlivoSignedRequest, signatureOf } from './signature.ts';
import { readStart, subProtocol } from './stream.ts';

/** Time within which an agent must accept a call, while Plivo waits for the webhook response. */
const decisionMs = 13_000;

/** A webhook with its fields from the form or the query. */
interface PlivoWebhook {
  readonly request: Request;
  readonly form: URLSearchParams;
  readonly fields: URLSearchParams;
}

/** Telephony over Plivo's webhooks, API and audio streams. */
export class PlivoTelephony extends CarrierTelephony<'plivo'> {
  readonly #documents = new Documents();
  readonly #answers = new RecentAnswers();

  constructor(options: PlivoOptions) {
    super(options, {
      type: 'plivo',
      name: 'Plivo',
      tokenIn: 'path',
      readStart,
      chooseProtocol: (offered) => (offered.has(subProtocol) ? subProtocol : false),
    });
  }

  protected async serve(host: TelephonyHost, request: Request, path: string): Promise<Response> {
    if (request.method !== 'POST' && request.method !== 'GET') {
      return new Response(null, { status: 405, headers: { allow: 'GET, POST' } });
    }
    const isForm = request.method === 'POST';
    const form = new URLSearchParams(isForm ? await request.text() : '');
    const webhook = { request, form, fields: isForm ? form : new URL(request.url).searchParams };
    if (path === '/voice') return await this.#incoming(host, webhook);
    const [, kind, key = ''] = /^\/(answer|status|document)\/([0-9a-f]{32})$/.exec(path) ?? [];
    if (kind === 'document') return this.#document(key, webhook);
    return kind === undefined ? new Response(null, { status: 404 }) : this.#placed(kind, key, webhook);
  }

  protected commandsOf(access: CarrierAccess<'plivo'>): PlivoApi {
    const publish = (document: string): string =>
      `${this.publicUrl}/document/${this.#documents.publish({ document, access })}`;
    return new PlivoApi({ access, baseUrl: this.options.apiUrl, publish });
  }

  /** Plivo's errors have no codes. A call to an invalid number fails after the request. */
  protected refusalOf(): DialFailure {
    return 'failed';
  }

  protected async place(
    { destination, callerNumber }: CarrierDialRequest,
    access: CarrierAccess<'plivo'>,
    { key }: { readonly token: string; readonly key: string },
  ): Promise<string> {
    const statusUrl = `${this.publicUrl}/status/${key}`;
    return await this.commandsOf(access).create({
      to: destination,
      from: callerNumber,
      answer_url: `${this.publicUrl}/answer/${key}`,
      answer_method: 'POST',
      ring_url: statusUrl,
      ring_method: 'POST',
      hangup_url: statusUrl,
      hangup_method: 'POST',
      ring_timeout: ringSeconds,
    });
  }

  /** Delays the response until the agent has accepted or refused the call. */
  async #incoming(host: TelephonyHost, webhook: PlivoWebhook): Promise<Response> {
    const { fields } = webhook;
    const callId = fields.get('CallUUID');
    const dialed = withPlus(fields.get('To') ?? '');
    const line = await this.lineOf(host, {
      dialed,
      account: fields.get('ParentAuthID') ?? dialed,
      // A webhook may lack the account id. Its signature proves the account.
      isAccount: (each) => 'auth_id' in each,
      isSigned: (access) => this.#isSigned(webhook, access),
    });
    if (line === null || callId === null) return new Response(null, { status: 403 });
    return await this.#answers.of(webhook.request, { trunkId: line.access.id, callId }, (answer) =>
      this.announce(host, {
        callId,
        line,
        decisionMs,
        from: partyOf(withPlus(fields.get('From') ?? 'anonymous'), fields.get('CallerName')),
        to: { ...partyOf(dialed), number: line.number.number },
        accept: (token) => answer.respond(xmlResponse(connectStream(this.streamUrl(token)))),
        refuse: (cause) =>
          answer.respond(xmlResponse(reject(cause === 'busy' || cause === 'overloaded' ? 'busy' : 'rejected'))),
      }),
    );
  }

  /** Handles the answer request or a report of an outbound call. */
  #placed(kind: string, key: string, webhook: PlivoWebhook): Response {
    const placed = this.placed.find(key);
    // Hangs up an ended call that requests a document, and ignores its reports.
    if (placed === null) return kind === 'answer' ? xmlResponse(reject('rejected')) : new Response(null);
    if (!this.#isSigned(webhook, placed.access)) return new Response(null, { status: 403 });
    const callId = webhook.fields.get('CallUUID');
    if (callId !== null) placed.call.named(callId);
    const report = reportOf(webhook.fields);
    this.reported(placed, report);
    return kind === 'answer' ? xmlResponse(connectStream(this.streamUrl(placed.token))) : new Response(null);
  }

  #document(key: string, webhook: PlivoWebhook): Response {
    const published = this.#documents.find(key);
    if (published === null) return new Response(null, { status: 404 });
    if (!this.#isSigned(webhook, published.access)) return new Response(null, { status: 403 });
    this.#documents.remove(key);
    return xmlResponse(published.document);
  }

  #isSigned({ request, form }: PlivoWebhook, { credentials }: CarrierAccess<'plivo'>): boolean {
    const { pathname, search } = new URL(request.url);
    const below = pathname.split(`/telephony/${this.id}`)[1] ?? '';
    const urls = new Set([request.url, `${this.publicUrl}${below}${search}`]);
    const signature = signatureOf(request.headers);
    return [...urls].some((url) => {
      const signed: PlivoSignedRequest = { method: request.method, url, form };
      return isSigned(signed, signature, credentials.auth_token);
    });
  }
}
