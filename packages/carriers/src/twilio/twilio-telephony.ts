import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { VaError } from '@va/core';
import {
  type CarrierAccess,
  type CarrierDialRequest,
  type DialedNumber,
  type OutgoingCall,
  type Party,
  systemRandom,
  type Telephony,
  type TelephonyHost,
  toError,
} from '@va/core/adapter';
import { WebSocketServer } from 'ws';
import { FailureLimit } from '../shared/failure-limit.ts';
import { PendingStreams } from '../shared/pending-streams.ts';
import type { TransferLeg } from '../shared/stream-leg.ts';
import { TwilioApi } from './api.ts';
import { awaitStart } from './await-start.ts';
import { TwilioIncomingCall } from './incoming-call.ts';
import { MediaStream } from './media-stream.ts';
import type { TwilioOptions } from './options.ts';
import { TwilioOutgoingCall } from './outgoing-call.ts';
import { isSigned } from './signature.ts';
import { connectStream, reject } from './twiml.ts';

/** Largest message of a stream: Twilio sends about 250 bytes. */
const maxMessageBytes = 65_536;
/** Streams that have not presented a token yet. */
const maxStrangers = 200;

interface PendingCall {
  readonly call: TwilioIncomingCall | TwilioOutgoingCall;
  readonly access: CarrierAccess<'twilio'>;
  /** Null until the SID of an outgoing call is known. */
  readonly callSid: string | null;
}

/** A number and the trunk whose account called it. */
interface Line {
  readonly number: DialedNumber;
  readonly access: CarrierAccess<'twilio'>;
}

/** Twilio's webhooks, API and media streams. */
export class TwilioTelephony implements Telephony {
  readonly id: string;
  readonly carrier = 'twilio';
  readonly #options: TwilioOptions;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  readonly #pending = new PendingStreams<PendingCall>(systemRandom);
  /** Placed calls by the key in their status URL. */
  readonly #placed = new PendingStreams<PendingCall>(systemRandom);
  readonly #live = new Set<{ hangup(): void }>();
  #strangers = 0;
  #failures: FailureLimit | null = null;
  #host: TelephonyHost | null = null;
  #publicUrl = '';

  constructor(options: TwilioOptions) {
    this.#options = options;
    this.id = options.id ?? 'twilio';
  }

  async start(host: TelephonyHost): Promise<void> {
    const own = this.#options.publicUrl;
    const publicUrl = own === undefined ? host.publicUrl : `${own.replace(/\/$/, '')}/telephony/${this.id}`;
    if (publicUrl === undefined || publicUrl === null) {
      throw new VaError('invalid_options', 'twilio() needs publicUrl, the URL under which Twilio reaches the service.');
    }
    this.#publicUrl = publicUrl;
    this.#failures = new FailureLimit(host.clock);
    this.#host = host;
  }

  async fetch(request: Request): Promise<Response> {
    const host = this.#host;
    const path = new URL(request.url).pathname.split(`/telephony/${this.id}`)[1] ?? '';
    if (host === null) return new Response(null, { status: 503 });
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const form = new URLSearchParams(await request.text());
    if (path === '/voice') return await this.#incoming(host, request, form);
    const key = /^\/status\/([0-9a-f]{32})$/.exec(path)?.[1];
    return key === undefined ? new Response(null, { status: 404 }) : this.#status(key, request, form);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, url: URL): void {
    const host = this.#host;
    if (host === null || !url.pathname.endsWith(`/telephony/${this.id}/stream`) || this.#strangers >= maxStrangers) {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
      return;
    }
    const signature = request.headers['x-twilio-signature'];
    const signed = this.#streamUrl();
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.#strangers += 1;
      awaitStart(webSocket, host.clock, (start) => {
        this.#strangers -= 1;
        if (start === null) return;
        const found = this.#pending.take(start.token);
        const isProven =
          found !== null &&
          isSigned(
            { url: signed, form: new URLSearchParams() },
            typeof signature === 'string' ? signature : null,
            found.access.credentials.auth_token,
          );
        if (found === null || !isProven || (found.callSid !== null && found.callSid !== start.callSid)) {
          host.logger.warn({ call: start.callSid }, 'refused a media stream without a valid token or signature');
          webSocket.close(1008);
          return;
        }
        const open = (transfer: TransferLeg): MediaStream =>
          new MediaStream(webSocket, { streamSid: start.streamSid, clock: host.clock, transfer });
        const stream =
          found.call instanceof TwilioIncomingCall
            ? found.call.connected(open)
            : found.call.connected(start.callSid, open);
        if (stream === null) webSocket.close(1000);
      });
    });
  }

  dialCarrier(request: CarrierDialRequest): OutgoingCall {
    const host = this.#host;
    if (host === null) throw new VaError('invalid_state', 'The Twilio adapter was not started.');
    if (!isTwilio(request)) throw new VaError('dial_failed', `Twilio cannot use a trunk of ${request.trunk.type}.`);
    const access = request.trunk;
    // The call exists once its token and key do, which its document and its URL contain.
    const entry: { call?: TwilioOutgoingCall } = {};
    const pending = {
      access,
      callSid: null,
      get call() {
        return requireCall(entry);
      },
    };
    const token = this.#pending.add(pending);
    const key = this.#placed.add(pending);
    const call = new TwilioOutgoingCall({
      request,
      api: new TwilioApi(access, this.#options.apiUrl),
      clock: host.clock,
      logger: host.logger,
      document: connectStream(this.#streamUrl(), token),
      statusUrl: `${this.#publicUrl}/status/${key}`,
      release: () => {
        this.#pending.remove(token);
        this.#placed.remove(key);
        this.#live.delete(call);
      },
    });
    entry.call = call;
    this.#live.add(call);
    return call;
  }

  async close(): Promise<void> {
    for (const call of [...this.#live]) call.hangup();
    this.#sockets.close();
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#host = null;
  }

  /** Holds the answer until the agent has accepted or refused the call. */
  async #incoming(host: TelephonyHost, request: Request, form: URLSearchParams): Promise<Response> {
    const callSid = form.get('CallSid');
    const line = await this.#lineOf(host, request, form);
    if (line === null || callSid === null) return new Response(null, { status: 403 });
    if (!host.admits()) {
      host.refused();
      return twiml(reject('busy'));
    }
    const { access, number } = line;
    let token = '';
    const call = new TwilioIncomingCall({
      callSid,
      api: new TwilioApi(access, this.#options.apiUrl),
      clock: host.clock,
      logger: host.logger,
      from: partyOf(form.get('From'), form.get('CallerName')),
      to: { ...partyOf(form.get('To'), null), number: number.number },
      dialed: number,
      connect: (each) => {
        token = this.#pending.add({ call: each, access, callSid });
        return connectStream(this.#streamUrl(), token);
      },
      disconnect: (each) => {
        this.#pending.remove(token);
        this.#live.delete(each);
      },
    });
    this.#live.add(call);
    request.signal.addEventListener('abort', () => call.abandoned(), { once: true });
    host.onIncomingCall(call);
    return twiml(await call.document);
  }

  /** Returns the number and trunk of a signed webhook; null for any other request. */
  async #lineOf(host: TelephonyHost, request: Request, form: URLSearchParams): Promise<Line | null> {
    const accountSid = form.get('AccountSid') ?? '';
    const failures = this.#failures;
    if (failures === null || !failures.mayTry(accountSid)) return null;
    const numbers = (await host.numbersOf?.(form.get('To') ?? '')) ?? [];
    const signature = request.headers.get('x-twilio-signature');
    for (const number of numbers) {
      for (const trunk of number.carrierTrunks ?? []) {
        const isAccount = 'account_sid' in trunk.account && trunk.account.account_sid === accountSid;
        if (trunk.type !== 'twilio' || !isAccount) continue;
        const access = await trunk.access().catch((thrown: unknown) => {
          host.logger.error({ trunk: trunk.id, err: toError(thrown) }, 'failed to read the credentials of a trunk');
          return null;
        });
        if (access === null || !isTwilioAccess(access)) continue;
        const urls = [request.url, `${this.#publicUrl}/voice${new URL(request.url).search}`];
        const { auth_token: authToken } = access.credentials;
        if (!urls.some((url) => isSigned({ url, form }, signature, authToken))) continue;
        failures.succeeded(accountSid);
        return { number, access };
      }
    }
    failures.failed(accountSid);
    return null;
  }

  #status(key: string, request: Request, form: URLSearchParams): Response {
    const placed = this.#placed.find(key);
    // A call that is over needs none, and Twilio must not try again.
    if (placed === null) return new Response(null, { status: 204 });
    const signature = request.headers.get('x-twilio-signature');
    const url = `${this.#publicUrl}/status/${key}`;
    if (!isSigned({ url, form }, signature, placed.access.credentials.auth_token)) {
      return new Response(null, { status: 403 });
    }
    const sipStatus = Number(form.get('SipResponseCode') ?? Number.NaN);
    if (placed.call instanceof TwilioOutgoingCall) {
      placed.call.status({
        status: form.get('CallStatus') ?? '',
        sequence: Number(form.get('SequenceNumber') ?? 0),
        sipStatus: Number.isInteger(sipStatus) ? sipStatus : null,
      });
    }
    return new Response(null, { status: 204 });
  }

  #streamUrl(): string {
    return `${this.#publicUrl.replace(/^http/, 'ws')}/stream`;
  }
}

function requireCall({ call }: { readonly call?: TwilioOutgoingCall }): TwilioOutgoingCall {
  if (call === undefined) throw new VaError('invalid_state', 'The call is not placed yet.');
  return call;
}

function isTwilio(request: CarrierDialRequest): request is CarrierDialRequest<'twilio'> {
  return isTwilioAccess(request.trunk);
}

function isTwilioAccess(access: CarrierAccess): access is CarrierAccess<'twilio'> {
  return access.type === 'twilio';
}

function twiml(document: string): Response {
  return new Response(document, { headers: { 'content-type': 'text/xml; charset=utf-8' } });
}

/** `From` is a number, a SIP address, a client's name, or `anonymous`. */
function partyOf(address: string | null, name: string | null): Party {
  const text = (address ?? 'anonymous').slice(0, 256);
  const number = /^sips?:([^@;]+)/.exec(text)?.[1] ?? text;
  return { number, displayName: name?.slice(0, 256) ?? null, uri: text };
}
