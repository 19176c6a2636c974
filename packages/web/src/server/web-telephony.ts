import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuseUpgrade, systemRandom, type Telephony, type TelephonyHost, toError, VaError } from '@va/core/adapter';
import { WebSocketServer } from 'ws';
import { maxToolResultLength } from '../protocol/messages.ts';
import { type FirstMessage, firstMessage } from './first-message.ts';
import type { WebCallsOptions } from './options.ts';
import { PageConnection } from './page-connection.ts';
import { WebCall } from './web-call.ts';
import { checkWebRtcOptions, type WebRtcOptions } from './webrtc/options.ts';
import { startWebRtc } from './webrtc/start-web-rtc.ts';
import type { WebRtcSetup } from './webrtc/web-rtc-connection.ts';
import { WhipEndpoint } from './whip/whip-endpoint.ts';

/** Connections that have not presented a token yet. */
const maxStrangers = 200;

/** Calls from pages, over WebSockets and WebRTC. */
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
  readonly #calls = new Map<string, WebCall>();
  readonly #webRtcOptions: WebRtcOptions | null;
  #webRtc: { readonly setup: WebRtcSetup; readonly whip: WhipEndpoint } | null = null;
  #strangers = 0;
  #host: TelephonyHost | null = null;

  /** @throws VaError `invalid_options` for an origin that no browser sends, or settings of WebRTC that are not valid */
  constructor(options: WebCallsOptions) {
    const wrong = options.origins?.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
    if (wrong !== undefined) {
      throw new VaError(
        'invalid_options',
        `webCalls(): ${JSON.stringify(wrong)} is no origin: https://example.com is.`,
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

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, url: URL): void {
    const host = this.#host;
    const isHere = url.pathname.endsWith(`/telephony/${this.id}${this.webCallPath}`);
    const status = host === null || this.#strangers >= maxStrangers ? 503 : isHere ? null : 404;
    if (status !== null || host === null) refuseUpgrade(socket, status ?? 503);
    else if (!this.#isAllowed(request.headers.origin)) refuseUpgrade(socket, 403);
    else {
      this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
        this.#strangers += 1;
        const connection = new PageConnection(webSocket, host.clock);
        firstMessage(connection, host.clock, (message) => {
          if (message === null) this.#strangers -= 1;
          else void this.#admit(host, connection, message).finally(() => (this.#strangers -= 1));
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

  /** Public URL at which pages reach this process; null for that of the service. */
  get #ownUrl(): string | null {
    const base = this.#options.publicUrl?.replace(/\/$/, '');
    return base === undefined ? null : `${base}/telephony/${this.id}${this.webCallPath}`;
  }

  #isAllowed(origin: string | undefined): boolean {
    return this.#origins === null || origin === undefined || this.#origins.has(origin);
  }

  /** Never rejects. */
  async #admit(host: TelephonyHost, connection: PageConnection, message: FirstMessage): Promise<void> {
    if (message.type === 'resume') {
      const call = this.#calls.get(hash('sha256', message.secret));
      if (call === undefined) connection.fail('resume_refused', 'There is no such call any more.');
      else call.resume(connection, message.received);
      return;
    }
    try {
      if (host.admits()) {
        await this.#begin(host, connection, message);
        return;
      }
      host.refused();
    } catch (thrown) {
      host.logger.error({ err: toError(thrown) }, 'failed to begin a web call');
    }
    connection.fail('overloaded', 'The service cannot take the call now.');
  }

  async #begin(
    host: TelephonyHost,
    connection: PageConnection,
    { token, webrtc = false }: Extract<FirstMessage, { type: 'hello' }>,
  ): Promise<void> {
    const grant = (await host.redeem?.(token)) ?? null;
    if (grant === null) {
      connection.fail('token_refused', 'The token is unknown, expired or used.');
      return;
    }
    const resumeSecret = Buffer.from(systemRandom(32)).toString('base64url');
    const key = hash('sha256', resumeSecret);
    const call = new WebCall({
      grant,
      clock: host.clock,
      connection,
      resumeSecret,
      resumeUrl: this.#ownUrl?.replace(/^http/, 'ws') ?? null,
      webRtc: this.#webRtc?.setup ?? null,
      awaitsOffer: webrtc,
      release: () => this.#calls.delete(key),
    });
    this.#calls.set(key, call);
    host.onIncomingCall(call);
  }
}
