import type { GeminiConnection, GeminiFault, GeminiReply } from './gemini/behaviour.ts';
import { GeminiPeer } from './gemini/peer.ts';
import { LocalServer } from './local-server.ts';

/** Options of the Gemini Live server. */
export interface GeminiServerOptions {
  /** Transcripts of the activities with audio, in their order. Default: "turn". */
  readonly transcripts?: readonly string[];
  /** Replies in the order of the requests. Default: "Okay." */
  readonly replies?: readonly GeminiReply[];
}

/**
 * The Gemini Live API over a WebSocket (BidiGenerateContent), without its activity detection: an activity's start
 * interrupts the reply, its end requests one.
 *
 * @example const server = await GeminiServer.start(); geminiLive({ baseUrl: server.url, apiKey: 'test' })
 */
export class GeminiServer {
  readonly connections: GeminiConnection[] = [];
  readonly transcripts: string[];
  readonly replies: GeminiReply[];
  readonly #server = new LocalServer();
  readonly #faults: GeminiFault[] = [];
  readonly #peers = new Set<GeminiPeer>();
  #handles = 0;

  constructor({ transcripts = [], replies = [] }: GeminiServerOptions = {}) {
    this.transcripts = [...transcripts];
    this.replies = [...replies];
  }

  static async start(options?: GeminiServerOptions): Promise<GeminiServer> {
    const server = new GeminiServer(options);
    server.#listen();
    await server.#server.listen();
    return server;
  }

  get url(): string {
    return `ws://${this.#server.host}`;
  }

  /** Fails the next connections, one fault each. */
  failNext(...faults: GeminiFault[]): void {
    this.#faults.push(...faults);
  }

  /** Announces the end of every connection. @param timeLeft a duration such as `50s` */
  goAway(timeLeft: string): void {
    for (const peer of this.#peers) peer.goAway(timeLeft);
  }

  /** Closes the open connections abruptly, as a network failure would. */
  cutConnections(): void {
    for (const socket of this.#server.sockets) socket.terminate();
  }

  nextHandle(): string {
    this.#handles++;
    return `handle-${this.#handles}`;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #listen(): void {
    let fault: GeminiFault | undefined;
    this.#server.acceptSockets(
      ({ url, headers }) => {
        fault = this.#faults.shift();
        if (typeof fault === 'object' && 'status' in fault) return fault.status;
        const { pathname, searchParams } = new URL(`ws://server${url}`);
        if (!searchParams.get('key') && !headers['x-goog-api-key']) return 403;
        // The vendor's client doubles the first slash.
        const method =
          /^\/+ws\/google\.ai\.generativelanguage\.v1(alpha|beta)\.GenerativeService\.BidiGenerateContent$/;
        return method.test(pathname) ? undefined : 404;
      },
      (socket, { url }) => {
        const { searchParams: query } = new URL(`ws://server${url}`);
        const counts = { audioBytes: 0, strayBytes: 0 };
        const connection: GeminiConnection = { query, messages: [], ...counts, setup: {}, closed: false };
        this.connections.push(connection);
        const peer = new GeminiPeer(this, socket, connection, fault);
        this.#peers.add(peer);
        socket.on('close', () => {
          connection.closed = true;
          this.#peers.delete(peer);
        });
      },
    );
  }
}
