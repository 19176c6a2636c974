import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  PendingConnections,
  refuseUpgrade,
  systemRandom,
  type Telephony,
  type TelephonyHost,
  toError,
  VaError,
} from '@va/core/adapter';
import { WebSocketServer } from 'ws';
import { maxToolResultLength, type WebCallEncoding } from '../protocol/messages.ts';
import { type FirstMessage, firstMessage, type Hello } from './first-message.ts';
import type { WebCallsOptions } from './options.ts';
import { PageCall } from './page-call.ts';
import { PageConnection } from './page-connection.ts';
import { checkWebRtcOptions, type WebRtcOptions } from './webrtc/options.ts';
import { startWebRtc } from './webrtc/start-web-rtc.ts';
import type { WebRtcSetup } from './webrtc/web-rtc-connection.ts';
import { WhipEndpoint } from './whip/whip-endpoint.ts';

/** Limits of connections that have not sent a token yet. A page sends it within a round trip. */
const pendingLimits = { max: 200, maxPerAddress: 20 };

/** Telephony over WebSockets and WebRTC connections of web pages. */
export class WebTelephony implements Telephony {
  readonly id: string;
  readonly webCallPath = '/calls';
  readonly #options: WebCallsOptions;
  readonly #origins: ReadonlySet<string> | null;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 2 * maxToolResultLength,
    perMessageDeflate: false,
  });
  /** Live calls by the hash of their resume secret. */
  readonly #calls = new Map<string, PageCall>();
  readonly #pending = new PendingConnections(pendingLimits);
  readonly #webRtcOptions: WebRtcOptions | null;
  #webRtc: { readonly setup: WebRtcSetup; readonly whip: WhipEndpoint } | null = null;
  #host: TelephonyHost | null = null;

  /** @throws VaError `invalid_options` for an origin that no browser sends, or settings of WebRTC that are not valid */
  constructor(options: WebCallsOptions) {
    const wrong = options.origins?.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
    if (wrong !== undefined) {
      throw new VaError(
        'invalid_options',
        `webCalls(): ${JSON.stringify(wrong)} is not an origin: expected one such as https://example.com.`,
      );
    }
    const { webrtc = false } = options;
    this.#webRtcOptions = webrtc === false ? null : webrtc === true ? {} : webrtc;
    if (this.#webRtcOptions !== null) checkWebRtcOptions(this.#webRtcOptions);
    this.#options = options;
    this.#origins = options.origins === undefined ? null : new Set(options.origins);
    this.id = options.id ?? 'web';
  }

  /** @throws VaError `webrtc_port_unavailable` */
  async start(host: TelephonyHost): Promise<void> {
    if (this.#webRtcOptions !== null) {
      const setup = await startWebRtc(this.#webRtcOptions, host);
      const isAllowed = (origin: string | undefined): boolean => this.#isAllowed(origin);
      this.#webRtc = { setup, whip: new WhipEndpoint({ host, setup, isAllowed, url: this.#ownUrl }) };
    }
    this.#host = host;
  }

  /** Serves WHIP at the path of the WebSocket. */
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const endpoint = `/telephony/${this.id}${this.webCallPath}`;
    const at = pathname.lastIndexOf(endpoint);
    const rest = at === -1 ? '-' : pathname.slice(at + endpoint.length);
    const isResource = /^\/[\w-]{1,100}$/.test(rest);
    if (this.#webRtc === null || this.#host === null || (rest !== '' && !isResource)) {
      return new Response(null, { status: 404 });
    }
    return await this.#webRtc.whip.fetch(request, rest.slice(1));
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, url: URL, clientAddress: string | null = null): void {
    const host = this.#host;
    const isHere = url.pathname.endsWith(`/telephony/${this.id}${this.webCallPath}`);
    if (host === null || !isHere) refuseUpgrade(socket, host === null ? 503 : 404);
    else if (!this.#isAllowed(request.headers.origin)) refuseUpgrade(socket, 403);
    else {
      const known = this.#pending.add(clientAddress, () => socket.destroy());
      socket.once('close', known);
      this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = new PageConnection(webSocket, socket, host.clock);
        const origin = request.headers.origin ?? null;
        firstMessage(connection, host.clock, (message) => {
          if (message === null) known();
          else void this.#admit(host, connection, origin, message).finally(known);
        });
      });
    }
  }

  async close(): Promise<void> {
    this.#host = null;
    for (const call of [...this.#calls.values()]) call.hangup();
    this.#sockets.close();
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#webRtc?.whip.close();
    await this.#webRtc?.setup.port.close();
    this.#webRtc = null;
  }

  get webCallUrl(): string | null {
    return this.#ownUrl?.replace(/^http/, 'ws') ?? null;
  }

  /** Public URL of the endpoint of this process; null to use that of the service. */
  get #ownUrl(): string | null {
    const base = this.#options.publicUrl?.replace(/\/$/, '');
    return base === undefined ? null : `${base}/telephony/${this.id}${this.webCallPath}`;
  }

  #isAllowed(origin: string | undefined): boolean {
    return this.#origins === null || origin === undefined || this.#origins.has(origin);
  }

  /** Begins or resumes a call, depending on the first message of the connection. Never rejects. */
  async #admit(
    host: TelephonyHost,
    connection: PageConnection,
    origin: string | null,
    message: FirstMessage,
  ): Promise<void> {
    if (message.type === 'resume') {
      const call = this.#calls.get(hash('sha256', message.secret));
      const isAllowed = call !== undefined && (call.grant.origin === null || call.grant.origin === origin);
      if (!isAllowed) connection.fail('resume_refused', 'There is no such call any more.');
      else call.resume(connection, message.received);
      return;
    }
    try {
      if (host.admits()) {
        await this.#begin(host, connection, origin, message);
        return;
      }
      host.refused();
    } catch (thrown) {
      host.logger.error({ err: toError(thrown) }, 'failed to begin a web call');
    }
    connection.fail('overloaded', 'The service cannot take the call now.');
  }

  async #begin(host: TelephonyHost, connection: PageConnection, origin: string | null, hello: Hello): Promise<void> {
    const grant = (await host.redeem?.(hello.token, origin)) ?? null;
    if (grant === null) {
      connection.fail('token_refused', 'The token is unknown, expired or used.');
      return;
    }
    const resumeSecret = Buffer.from(systemRandom(32)).toString('base64url');
    const key = hash('sha256', resumeSecret);
    const call = new PageCall({
      grant,
      clock: host.clock,
      connection,
      encoding: this.#encodingFor(hello),
      resumeSecret,
      resumeUrl: this.webCallUrl,
      webRtc: this.#webRtc?.setup ?? null,
      awaitsOffer: hello.webrtc ?? false,
      release: () => this.#calls.delete(key),
    });
    this.#calls.set(key, call);
    host.onIncomingCall(call);
  }

  /** Returns the encoding of a call. Older clients send no encodings and support μ-law only. */
  #encodingFor({ audio = [], webrtc = false }: Hello): WebCallEncoding {
    const { wideband = true } = this.#options;
    // The sample rate of a call is fixed, also when its audio changes between WebSocket and WebRTC.
    const isNarrow = webrtc && this.#webRtc !== null && !this.#webRtc.setup.codecs.includes('opus');
    return wideband && audio.includes('pcm16') && !isNarrow ? 'pcm16' : 'pcmu';
  }
}
