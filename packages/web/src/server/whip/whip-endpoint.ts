import { hash } from 'node:crypto';
import { systemRandom, type TelephonyHost } from '@va/core/adapter';
import { maxOfferLength, OfferError } from '../webrtc/sdp/offer.ts';
import { type AcceptedOffer, acceptOffer, type WebRtcSetup } from '../webrtc/web-rtc-connection.ts';
import { WhipCall } from './whip-call.ts';

/** Maximum number of concurrent requests. */
const maxRequests = 100;
const sdpType = 'application/sdp';
const methods = 'POST, DELETE, OPTIONS';

export interface WhipEndpointOptions {
  readonly host: TelephonyHost;
  readonly setup: WebRtcSetup;
  /** Returns true if the `Origin` of a request is allowed; undefined stands for a client that is not a browser. */
  readonly isAllowed: (origin: string | undefined) => boolean;
  /** Public URL of the endpoint of this process; null to derive it from each request. */
  readonly url: string | null;
}

/**
 * Serves WHIP: `POST` with an offer starts a call, `DELETE` of its resource ends it.
 * @see RFC 9725
 */
export class WhipEndpoint {
  readonly #options: WhipEndpointOptions;
  /** Live calls by the hash of the secret in their URL. */
  readonly #calls = new Map<string, WhipCall>();
  #requests = 0;

  constructor(options: WhipEndpointOptions) {
    this.#options = options;
  }

  /** @param resource path after that of the endpoint, without a leading slash; empty for the endpoint itself */
  async fetch(request: Request, resource: string): Promise<Response> {
    const origin = request.headers.get('origin') ?? undefined;
    if (!this.#options.isAllowed(origin)) return refusal(403, 'Pages of this origin may not call.');
    const response = await this.#serve(request, resource);
    if (origin !== undefined) {
      response.headers.set('access-control-allow-origin', origin);
      response.headers.set('access-control-expose-headers', 'Location');
      response.headers.append('vary', 'Origin');
    }
    return response;
  }

  close(): void {
    for (const call of [...this.#calls.values()]) call.hangup();
  }

  async #serve(request: Request, resource: string): Promise<Response> {
    if (request.method === 'OPTIONS') return preflight();
    if (resource !== '') return this.#serveResource(request, resource);
    if (request.method !== 'POST') return notAllowed('POST, OPTIONS');
    if (this.#requests >= maxRequests) return busy();
    this.#requests += 1;
    try {
      return await this.#begin(request);
    } finally {
      this.#requests -= 1;
    }
  }

  #serveResource(request: Request, resource: string): Response {
    if (request.method !== 'DELETE') return notAllowed('DELETE, OPTIONS');
    const call = this.#calls.get(hash('sha256', resource));
    if (call === undefined) return refusal(404, 'There is no such call any more.');
    call.leave();
    return new Response(null, { status: 200 });
  }

  async #begin(request: Request): Promise<Response> {
    const { host, setup } = this.#options;
    const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
    if (type !== sdpType) return refusal(415, `The body is an offer, with the Content-Type ${sdpType}.`);
    const token = /^Bearer +([\w-]{1,100})$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (token === undefined) return refusal(401, 'The token of the call is missing: Authorization: Bearer …');
    const text = await request.text();
    if (text.length > maxOfferLength) return refusal(413, `An offer has at most ${maxOfferLength} characters.`);
    // Parses the offer before the single-use token is spent.
    const offer = accepted(setup, text);
    if (offer instanceof Response) return offer;
    if (!host.admits()) {
      host.refused();
      return busy();
    }
    const grant = (await host.redeem?.(token, request.headers.get('origin'))) ?? null;
    if (grant === null) return refusal(401, 'The token is unknown, expired or used.');
    const secret = Buffer.from(systemRandom(32)).toString('base64url');
    const key = hash('sha256', secret);
    const call = new WhipCall(grant, setup, offer, () => this.#calls.delete(key));
    this.#calls.set(key, call);
    host.onIncomingCall(call);
    const endpoint = this.#options.url ?? `${new URL(request.url).origin}${new URL(request.url).pathname}`;
    return new Response(call.answerSdp, {
      status: 201,
      headers: { 'content-type': sdpType, location: `${endpoint}/${secret}`, 'cache-control': 'no-store' },
    });
  }
}

function accepted(setup: WebRtcSetup, text: string): AcceptedOffer | Response {
  try {
    return acceptOffer(setup, text);
  } catch (thrown) {
    if (!(thrown instanceof OfferError)) throw thrown;
    return refusal(thrown.kind === 'malformed' ? 400 : 406, thrown.message);
  }
}

function preflight(): Response {
  const headers = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': 'Authorization, Content-Type',
    'access-control-max-age': '600',
    'accept-post': sdpType,
  };
  return new Response(null, { status: 204, headers });
}

function busy(): Response {
  const response = refusal(503, 'The service cannot take the call now.');
  response.headers.set('retry-after', '5');
  return response;
}

function notAllowed(allow: string): Response {
  const response = refusal(405, `Allowed here: ${allow}.`);
  response.headers.set('allow', allow);
  return response;
}

function refusal(status: number, message: string): Response {
  return new Response(message, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
