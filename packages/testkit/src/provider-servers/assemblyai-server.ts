import type { AssemblyAiConnection, AssemblyAiFault } from './assemblyai/behaviour.ts';
import { AssemblyAiPeer } from './assemblyai/peer.ts';
import { LocalServer } from './local-server.ts';

/** Options of the AssemblyAI server. */
export interface AssemblyAiServerOptions {
  /** Transcripts, one per turn; each grows word by word with the sound. */
  readonly turns?: readonly string[];
  /** Detected languages of the turns, sent on request only. */
  readonly languages?: readonly (string | undefined)[];
}

/**
 * AssemblyAI's streaming transcription (`/v3/ws`). A turn ends after 400 ms of silence, first without and then with
 * formatting, or by ForceEndpoint, which is not answered without words.
 *
 * @example const server = await AssemblyAiServer.start(); assemblyai({ baseUrl: server.url, apiKey: 'test' })
 */
export class AssemblyAiServer {
  readonly connections: AssemblyAiConnection[] = [];
  readonly #server = new LocalServer();
  readonly #turns: string[];
  readonly #languages: (string | undefined)[];
  readonly #faults: AssemblyAiFault[] = [];

  constructor({ turns = [], languages = [] }: AssemblyAiServerOptions = {}) {
    this.#languages = [...languages];
    this.#turns = [...turns];
  }

  static async start(options: AssemblyAiServerOptions = {}): Promise<AssemblyAiServer> {
    const server = new AssemblyAiServer(options);
    server.#listen();
    await server.#server.listen();
    return server;
  }

  get url(): string {
    return `ws://${this.#server.host}`;
  }

  /** Fails the next connections, one fault each. */
  failNext(...faults: AssemblyAiFault[]): void {
    this.#faults.push(...faults);
  }

  /** Closes the open connections abruptly, as a network failure would. */
  cutConnections(): void {
    for (const socket of this.#server.sockets) socket.terminate();
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #listen(): void {
    let fault: AssemblyAiFault | undefined;
    this.#server.acceptSockets(
      ({ url, headers }) => {
        fault = this.#faults.shift();
        if (typeof fault === 'object' && 'status' in fault) return fault.status;
        if (!headers.authorization) return 401;
        return new URL(url ?? '', 'ws://server').pathname === '/v3/ws' ? undefined : 404;
      },
      (socket, { url, headers }) => {
        const { searchParams: query } = new URL(url ?? '', 'ws://server');
        const connection = { query, headers, audioBytes: 0, chunks: [], controls: [], closed: false };
        this.connections.push(connection);
        const isKnown = ['pcm_mulaw', 'pcm_s16le'].includes(query.get('encoding') ?? '') && query.has('speech_model');
        new AssemblyAiPeer(socket, connection, {
          fault: isKnown ? fault : { error: 3006 },
          turns: this.#turns,
          languages: this.#languages,
        });
      },
    );
  }
}
