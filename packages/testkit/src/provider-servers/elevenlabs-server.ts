import type { IncomingHttpHeaders } from 'node:http';
import { ElevenLabsPeer } from './elevenlabs/peer.ts';
import { formatOf } from './elevenlabs/speech.ts';
import { LocalServer } from './local-server.ts';

export type ElevenLabsFault =
  /** Refuses the upgrade. */
  | { readonly status: number }
  /** Cuts the connection after so many pieces of audio. */
  | { readonly breakAfterPieces: number }
  /** Answers the first text with this error and closes: `quota_exceeded`, `invalid_api_key`, … */
  | { readonly error: string }
  /** Answers the first text of each context with this error, which names the context, and stays open. */
  | { readonly contextError: string }
  /** Ends every context without audio. */
  | 'mute'
  /** Takes text and never answers. */
  | 'hang'
  /** Sends text that is not JSON, and JSON of other shapes, before each piece of audio. */
  | 'garbage';

/** Behaviours in which the service has been seen to differ. The defaults are the unkind ones. */
export interface ElevenLabsMoods {
  /**
   * `drain` (default): a closed context counts until its `isFinal`, which comes a little later. `held`: until
   * `release()`. `at-once`: its `isFinal` comes at once.
   */
  readonly closedContexts: 'drain' | 'held' | 'at-once';
  /** Time that a closed context goes on in the mood `drain`; 20 ms by default. */
  readonly drainMs: number;
  /**
   * `per-piece` (default): each piece of audio has its characters. `sparse`: the first piece of a text has all of them,
   * the others have null. `repeated`: the last piece of a text has those of the whole text once more.
   */
  readonly alignment: 'per-piece' | 'sparse' | 'repeated';
}

/** One connection as the server saw it. */
export interface ElevenLabsConnection {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly messages: Record<string, unknown>[];
  /** The largest number of contexts at one time, closed ones that still drain included. */
  mostOpen: number;
  closed: boolean;
}

/** ElevenLabs' speech over a WebSocket with several contexts (`multi-stream-input`). Speaks 40 ms a character. */
export class ElevenLabsServer {
  readonly connections: ElevenLabsConnection[] = [];
  readonly #moods: ElevenLabsMoods;
  readonly #server = new LocalServer();
  readonly #faults: ElevenLabsFault[] = [];
  readonly #peers = new Set<ElevenLabsPeer>();

  constructor(moods: Partial<ElevenLabsMoods> = {}) {
    this.#moods = { closedContexts: 'drain', drainMs: 20, alignment: 'per-piece', ...moods };
  }

  static async start(moods: Partial<ElevenLabsMoods> = {}): Promise<ElevenLabsServer> {
    const server = new ElevenLabsServer(moods);
    server.#listen();
    await server.#server.listen();
    return server;
  }

  get url(): string {
    return `ws://${this.#server.host}`;
  }

  /** The next connections fail, one fault each. */
  failNext(...faults: ElevenLabsFault[]): void {
    this.#faults.push(...faults);
  }

  /** Ends the closed contexts that are held. */
  release(): void {
    for (const peer of this.#peers) peer.release();
  }

  /** Cuts the open connections, as a network would. */
  cutConnections(): void {
    for (const socket of this.#server.sockets) socket.terminate();
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #listen(): void {
    let fault: ElevenLabsFault | undefined;
    this.#server.acceptSockets(
      ({ url, headers }) => {
        fault = this.#faults.shift();
        if (typeof fault === 'object' && 'status' in fault) return fault.status;
        if (!headers['xi-api-key']) return 401;
        const { pathname, searchParams } = new URL(url ?? '', 'ws://server');
        if (!/^\/v1\/text-to-speech\/[^/]+\/multi-stream-input$/.test(pathname)) return 404;
        // The service has no WebSocket for this model, and refuses values that it does not know.
        if (searchParams.get('model_id')?.startsWith('eleven_v3')) return 403;
        return formatOf(searchParams.get('output_format')) === undefined ? 403 : undefined;
      },
      (socket, { url, headers }) => {
        const { pathname: path, searchParams: query } = new URL(url ?? '', 'ws://server');
        const connection = { path, query, headers, messages: [], mostOpen: 0, closed: false };
        this.connections.push(connection);
        const peer = new ElevenLabsPeer(socket, connection, this.#moods, fault);
        this.#peers.add(peer);
        socket.on('close', () => this.#peers.delete(peer));
      },
    );
  }
}
