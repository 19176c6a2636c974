import { LocalServer } from './local-server.ts';
import { RealtimePeer } from './realtime/peer.ts';
import type {
  RealtimeConnection,
  RealtimeDialectName,
  RealtimeFault,
  RealtimeReply,
  RealtimeTranscript,
} from './realtime/script.ts';

export interface RealtimeServerOptions {
  readonly dialect: RealtimeDialectName;
  /** What is understood of the turns, in the order in which they are committed; "turn" by default. */
  readonly transcripts?: readonly (string | RealtimeTranscript)[];
  /** In the order in which responses are asked for; "Okay." by default. */
  readonly replies?: readonly RealtimeReply[];
}

/**
 * The speech-to-speech protocol of OpenAI (GA) and of xAI, over WebSocket: session, audio buffer, items, and one
 * response at a time. Its turn detection is off.
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

  /** To be given as the client's base URL. */
  get url(): string {
    return `ws://${this.#server.host}/v1`;
  }

  /** The next connections fail, one fault each. */
  failNext(...faults: RealtimeFault[]): void {
    this.#faults.push(...faults);
  }

  /** Lets replies that were held go on. */
  release(): void {
    for (const peer of this.#peers) peer.release();
  }

  /** Tells every client that its session has come to its end, and hangs up. */
  expire(): void {
    for (const peer of this.#peers) peer.expire();
  }

  /** Cuts the connections that are open, as a network would. */
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
