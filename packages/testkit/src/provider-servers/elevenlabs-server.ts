import type { IncomingMessage } from 'node:http';
import type { ElevenLabsBehaviour, ElevenLabsConnection, ElevenLabsFault } from './elevenlabs/behaviour.ts';
import { ElevenLabsPeer } from './elevenlabs/peer.ts';
import { formatOf } from './elevenlabs/speech.ts';
import { LocalServer } from './local-server.ts';

/**
 * ElevenLabs' speech over a WebSocket with several contexts (`multi-stream-input`). Speaks 40 ms per character.
 *
 * @example const server = await ElevenLabsServer.start(); elevenlabs({ baseUrl: server.url, apiKey: 'test' })
 */
export class ElevenLabsServer {
  readonly connections: ElevenLabsConnection[] = [];
  /** HTTP statuses of the rejected upgrades, in their order. */
  readonly refusedUpgrades: number[] = [];
  readonly #behaviour: ElevenLabsBehaviour;
  readonly #server = new LocalServer();
  readonly #faults: ElevenLabsFault[] = [];
  readonly #peers = new Set<ElevenLabsPeer>();

  constructor(behaviour: Partial<ElevenLabsBehaviour> = {}) {
    this.#behaviour = { closedContexts: 'drain', drainMs: 20, alignment: 'per-piece', ...behaviour };
  }

  static async start(behaviour: Partial<ElevenLabsBehaviour> = {}): Promise<ElevenLabsServer> {
    const server = new ElevenLabsServer(behaviour);
    server.#listen();
    await server.#server.listen();
    return server;
  }

  get url(): string {
    return `ws://${this.#server.host}`;
  }

  /** Fails the next connections, one fault each. */
  failNext(...faults: ElevenLabsFault[]): void {
    this.#faults.push(...faults);
  }

  /** Ends the closed contexts that `closedContexts: 'held'` keeps open. */
  release(): void {
    for (const peer of this.#peers) peer.release();
  }

  /** Closes the open connections abruptly, as a network failure would. */
  cutConnections(): void {
    for (const socket of this.#server.sockets) socket.terminate();
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #listen(): void {
    let fault: ElevenLabsFault | undefined;
    this.#server.acceptSockets(
      (request) => {
        const next = this.#faults.shift();
        fault = next;
        const status = typeof next === 'object' && 'status' in next ? next.status : refusalOf(request);
        if (status !== undefined) this.refusedUpgrades.push(status);
        return status;
      },
      (socket, { url, headers }) => {
        const { pathname: path, searchParams: query } = new URL(url ?? '', 'ws://server');
        const connection = { path, query, headers, messages: [], mostOpen: 0, closed: false };
        this.connections.push(connection);
        const peer = new ElevenLabsPeer(socket, connection, this.#behaviour, fault);
        this.#peers.add(peer);
        socket.on('close', () => this.#peers.delete(peer));
      },
    );
  }
}

/** Returns the HTTP status with which the service rejects an upgrade; undefined if it accepts it. */
function refusalOf({ url, headers }: IncomingMessage): number | undefined {
  if (!headers['xi-api-key']) return 401;
  const { pathname, searchParams } = new URL(url ?? '', 'ws://server');
  if (!/^\/v1\/text-to-speech\/[^/]+\/multi-stream-input$/.test(pathname)) return 404;
  // The service has no WebSocket for this model, and rejects unknown values.
  if (searchParams.get('model_id')?.startsWith('eleven_v3')) return 403;
  return formatOf(searchParams.get('output_format')) === undefined ? 403 : undefined;
}
