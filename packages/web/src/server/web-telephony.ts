import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuseUpgrade, systemRandom, type Telephony, type TelephonyHost, toError, VaError } from '@va/core/adapter';
import { WebSocketServer } from 'ws';
import { maxToolResultLength, type WebCallEncoding } from '../protocol/messages.ts';
import { type FirstMessage, firstMessage, type Hello } from './first-message.ts';
import type { WebCallsOptions } from './options.ts';
import { PageConnection } from './page-connection.ts';
import { WebCall } from './web-call.ts';

/** Connections that have not presented a token yet. */
const maxStrangers = 200;

/** Calls from pages, over WebSockets. */
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
  #strangers = 0;
  #host: TelephonyHost | null = null;

  /** @throws VaError `invalid_options` for an origin that no browser sends */
  constructor(options: WebCallsOptions) {
    const wrong = options.origins?.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
    if (wrong !== undefined) {
      throw new VaError(
        'invalid_options',
        `webCalls(): ${JSON.stringify(wrong)} is no origin: https://example.com is.`,
      );
    }
    this.#options = options;
    this.#origins = options.origins === undefined ? null : new Set(options.origins);
    this.id = options.id ?? 'web';
  }

  async start(host: TelephonyHost): Promise<void> {
    this.#host = host;
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

  async #begin(host: TelephonyHost, connection: PageConnection, hello: Hello): Promise<void> {
    const grant = (await host.redeem?.(hello.token)) ?? null;
    if (grant === null) {
      connection.fail('token_refused', 'The token is unknown, expired or used.');
      return;
    }
    const resumeSecret = Buffer.from(systemRandom(32)).toString('base64url');
    const key = hash('sha256', resumeSecret);
    const base = this.#options.publicUrl?.replace(/\/$/, '').replace(/^http/, 'ws');
    const call = new WebCall({
      grant,
      clock: host.clock,
      connection,
      encoding: this.#encodingFor(hello),
      resumeSecret,
      resumeUrl: base === undefined ? null : `${base}/telephony/${this.id}${this.webCallPath}`,
      release: () => this.#calls.delete(key),
    });
    this.#calls.set(key, call);
    host.onIncomingCall(call);
  }

  /** Older clients name no encodings: they speak μ-law. */
  #encodingFor({ audio = [] }: Hello): WebCallEncoding {
    const { wideband = true } = this.#options;
    return wideband && audio.includes('pcm16') ? 'pcm16' : 'pcmu';
  }
}
