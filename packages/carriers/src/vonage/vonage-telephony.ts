import type { CarrierAccess, CarrierDialRequest, DialFailure, TelephonyHost } from '@va/core/adapter';
import type { LegEncoding } from '@va/media';
import { partyOf, withPlus } from '../shared/call/party.ts';
import { RecentAnswers } from '../shared/call/recent-answers.ts';
import { CarrierTelephony } from '../shared/carrier-telephony.ts';
import { CarrierError } from '../shared/web/carrier-error.ts';
import { textOf } from '../shared/web/fields.ts';
import { VonageApi } from './api.ts';
import { reportOf } from './failures.ts';
import { connectStream, endpointOf, type Ncco, withoutPlus } from './ncco.ts';
import type { VonageOptions } from './options.ts';
import { readStart } from './stream.ts';
import { readWebhook } from './webhook.ts';

/** Time within which an agent must accept a call: Vonage waits 5 s for a webhook response by default. */
const decisionMs = 4_500;
/** Maximum ring timeout that Vonage accepts. */
const ringSeconds = 120;
/** HTTP status for a call to an invalid number. */
const invalidParameters = 400;

/** Telephony over Vonage's webhooks, API and WebSockets. */
export class VonageTelephony extends CarrierTelephony<'vonage'> {
  readonly #answers = new RecentAnswers();

  constructor(options: VonageOptions) {
    super(options, { type: 'vonage', name: 'Vonage', tokenIn: 'path', readStart });
  }

  protected async serve(host: TelephonyHost, request: Request, path: string): Promise<Response> {
    if (request.method !== 'POST' && request.method !== 'GET') {
      return new Response(null, { status: 405, headers: { allow: 'GET, POST' } });
    }
    if (path === '/voice') return await this.#incoming(host, request);
    // Inbound calls end with their stream, so their events are not needed.
    if (path === '/event') return new Response(null, { status: 204 });
    const key = /^\/status\/([0-9a-f]{32})$/.exec(path)?.[1];
    return key === undefined ? new Response(null, { status: 404 }) : await this.#status(host, key, request);
  }

  protected commandsOf(access: CarrierAccess<'vonage'>): VonageApi {
    return new VonageApi(access, this.clock, this.options.apiUrl);
  }

  protected override encodingOf({ account }: CarrierAccess<'vonage'>): LegEncoding {
    return account.wideband === true ? 'pcm16' : 'pcmu';
  }

  protected refusalOf(error: Error): DialFailure {
    const isInvalid = error instanceof CarrierError && error.status === invalidParameters;
    return isInvalid ? 'invalid-destination' : 'failed';
  }

  protected async place(
    { destination, callerNumber }: CarrierDialRequest,
    access: CarrierAccess<'vonage'>,
    { token, key }: { readonly token: string; readonly key: string },
  ): Promise<string> {
    return await this.commandsOf(access).create({
      to: [endpointOf(destination)],
      from: { type: 'phone', number: withoutPlus(callerNumber) },
      ncco: connectStream(this.streamUrl(token), this.encodingOf(access)),
      event_url: [`${this.publicUrl}/status/${key}`],
      event_method: 'POST',
      ringing_timer: ringSeconds,
    });
  }

  /** Delays the response until the agent has accepted or refused the call. */
  async #incoming(host: TelephonyHost, request: Request): Promise<Response> {
    const { fields, applicationId, isSigned } = await readWebhook(request);
    const callId = textOf(fields.uuid);
    const dialed = withPlus(textOf(fields.to) ?? '');
    const line = await this.lineOf(host, {
      dialed,
      account: applicationId ?? dialed,
      isAccount: (each) =>
        'application_id' in each && (applicationId === null || each.application_id === applicationId),
      isSigned: ({ credentials }) => isSigned(credentials.signature_secret, host.clock.wallMs()),
    });
    if (line === null || callId === null) return new Response(null, { status: 403 });
    return await this.#answers.of(request, { trunkId: line.access.id, callId }, (answer) =>
      this.announce(host, {
        callId,
        line,
        decisionMs,
        from: partyOf(withPlus(textOf(fields.from) ?? textOf(fields.from_user) ?? 'anonymous')),
        to: { ...partyOf(dialed), number: line.number.number },
        accept: (token) => answer.respond(ncco(connectStream(this.streamUrl(token), this.encodingOf(line.access)))),
        // A response without instructions ends the call.
        refuse: () => answer.respond(ncco([])),
      }),
    );
  }

  async #status(host: TelephonyHost, key: string, request: Request): Promise<Response> {
    const placed = this.placed.find(key);
    // Acknowledges events of ended calls, so that Vonage does not repeat them.
    if (placed === null) return new Response(null, { status: 204 });
    const { fields, isSigned } = await readWebhook(request);
    const { signature_secret: secret } = placed.access.credentials;
    if (!isSigned(secret, host.clock.wallMs())) return new Response(null, { status: 403 });
    // Ignores events of the WebSocket leg.
    const { callId } = placed.call;
    const isOfCall = callId === null || fields.uuid === callId;
    const report = isOfCall ? reportOf(fields) : null;
    this.reported(placed, report);
    return new Response(null, { status: 204 });
  }
}

function ncco(instructions: Ncco): Response {
  return new Response(JSON.stringify(instructions), { headers: { 'content-type': 'application/json' } });
}
