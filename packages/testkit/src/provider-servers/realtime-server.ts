import { LocalServer } from './local-server.ts';
import { RealtimePeer } from './realtime/peer.ts';
import type {
  RealtimeConnection,
  RealtimeDialectName,
  RealtimeFault,
  RealtimeReply,
  RealtimeTranscript,
} from './realtime/script.ts';

/** Options of a realtime server. */
export interface RealtimeServerOptions {
  readonly dialect: RealtimeDialectName;
  /** Transcripts of the turns in the order of their commits. Default: "turn". */
  readonly transcripts?: readonly (string | RealtimeTranscript)[];
  /** Replies in the order of the requests. Default: "Okay." */
  readonly replies?: readonly RealtimeReply[];
}

/**
 * The speech-to-speech protocol of OpenAI (GA) and of xAI over WebSocket: session, audio buffer, items, and one
 * response at a time. It detects turns only if the client requests turn detection.
 *
 * @example const server = await RealtimeServer.start({ dialect: 'xai' }); xaiRealtime({ baseUrl: server.url, apiKey:
 * 'test' })
 */
export class RealtimeServer {
  readonly connections: RealtimeConnection[] = [];
  readonly dialect: RealtimeDialectName;
  readonly transcripts: RealtimeTranscript[];
  readonly replies: RealtimeReply[];
  readonly #server = new LocalServer();
  readonly #faults: RealtimeFault[] = [];
  readonly #peers = new Set<RealtimePeer>();
  readonly #startedAtMs: number = performance.now();
  #ids = 0;

  constructor({ dialect, transcripts = [], replies = [] }: RealtimeServerOptions) {
    this.dialect = dialect;
    this.transcripts = transcripts.map((each) => (typeof each === 'string' ? { text: each } : each));
    this.replies = [...replies];
  }

  static async start(options: RealtimeServerOptions): Promise<RealtimeServer> {
    const server = new RealtimeServer(options);
    server.#listen();
    await server.#server.listen();
    return server;
  }

  /** Base URL for the client. */
  get url(): string {
    return `ws://${this.#server.host}/v1`;
  }

  /** Fails the next connections, one fault each. */
  failNext(...faults: RealtimeFault[]): void {
    this.#faults.push(...faults);
  }

  /** Continues replies that were held. */
  release(): void {
    for (const peer of this.#peers) peer.release();
  }

  /** Reports to every client that its session has expired, and closes the connections. */
  expire(): void {
    for (const peer of this.#peers) peer.expire();
  }

  /** Closes the open connections abruptly, as a network failure would. */
  cutConnections(): void {
    for (const socket of this.#server.sockets) socket.terminate();
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  nextId(kind: string): string {
    this.#ids++;
    return `${kind}_${this.#ids}`;
  }

  elapsedMs(): number {
    return performance.now() - this.#startedAtMs;
  }

  #listen(): void {
    let fault: RealtimeFault | undefined;
    this.#server.acceptSockets(
      ({ url, headers }) => {
        fault = this.#faults.shift();
        if (typeof fault === 'object' && 'status' in fault) return fault.status;
        if (!/^Bearer \S+$/.test(headers.authorization ?? '')) return 401;
        return /^\/v1\/realtime\?(.*&)?model=[^&]+/.test(url ?? '') ? undefined : 404;
      },
      (socket, { url, headers }) => {
        const { pathname: path, searchParams: query } = new URL(url ?? '', 'ws://server');
        const connection: RealtimeConnection = {
          path,
          query,
          headers,
          events: [],
          session: {},
          early: 0,
          items: [],
          audioBytes: 0,
          closed: false,
        };
        this.connections.push(connection);
        const peer = new RealtimePeer(this, socket, connection, fault);
        this.#peers.add(peer);
        socket.on('close', () => {
          connection.closed = true;
          this.#peers.delete(peer);
        });
      },
    );
  }
}
