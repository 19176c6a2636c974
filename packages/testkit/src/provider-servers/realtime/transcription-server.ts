import { LocalServer } from '../local-server.ts';
import type { TranscriptionConnection, TranscriptionFault } from './transcription-behaviour.ts';
import { TranscriptionPeer } from './transcription-peer.ts';

/**
 * OpenAI's realtime transcription over a WebSocket (`/v1/realtime?intent=transcription`) with manual commits.
 *
 * @example const server = await TranscriptionServer.start(['hello']);
 *   openaiRealtimeTranscription({ baseURL: server.url, apiKey: 'test' })
 */
export class TranscriptionServer {
  readonly connections: TranscriptionConnection[] = [];
  readonly #server = new LocalServer();
  readonly #turns: string[];
  readonly #faults: TranscriptionFault[] = [];

  constructor(turns: readonly string[] = []) {
    this.#turns = [...turns];
  }

  /** @param turns transcripts, one per commit; streaming models send them word by word with the sound */
  static async start(turns: readonly string[] = []): Promise<TranscriptionServer> {
    const server = new TranscriptionServer(turns);
    server.#listen();
    await server.#server.listen();
    return server;
  }

  /** Base URL for the client. */
  get url(): string {
    return `ws://${this.#server.host}/v1`;
  }

  /** Fails the next connections, one fault each. */
  failNext(...faults: TranscriptionFault[]): void {
    this.#faults.push(...faults);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #listen(): void {
    let fault: TranscriptionFault | undefined;
    this.#server.acceptSockets(
      ({ url, headers }) => {
        fault = this.#faults.shift();
        if (typeof fault === 'object' && 'status' in fault) return fault.status;
        if (!/^Bearer ./.test(headers.authorization ?? '')) return 401;
        return new URL(url ?? '', 'ws://server').pathname === '/v1/realtime' ? undefined : 404;
      },
      (socket, { url, headers }) => {
        const { searchParams: query } = new URL(url ?? '', 'ws://server');
        const connection = { query, headers, sessions: [], chunks: 0, commits: 0, closed: false };
        this.connections.push(connection);
        new TranscriptionPeer(socket, connection, fault, this.#turns);
      },
    );
  }
}
