import type { CartesiaBehaviour, CartesiaConnection, CartesiaFault } from './cartesia/behaviour.ts';
import { CartesiaSpeechPeer } from './cartesia/speech-peer.ts';
import { LocalServer } from './local-server.ts';

/**
 * Cartesia's speech over a WebSocket (`/tts/websocket`). Speaks 40 ms per character.
 *
 * @example const server = await CartesiaServer.start(); cartesia({ baseUrl: server.url, apiKey: 'test' })
 */
export class CartesiaServer {
  readonly connections: CartesiaConnection[] = [];
  readonly #behaviour: CartesiaBehaviour;
  readonly #server = new LocalServer();
  readonly #faults: CartesiaFault[] = [];

  constructor(behaviour: Partial<CartesiaBehaviour> = {}) {
    this.#behaviour = { expireMs: 1_000, drainMs: 20, concurrency: 5, ...behaviour };
  }

  static async start(behaviour: Partial<CartesiaBehaviour> = {}): Promise<CartesiaServer> {
    const server = new CartesiaServer(behaviour);
    server.#listen();
    await server.#server.listen();
    return server;
  }

  get url(): string {
    return `ws://${this.#server.host}`;
  }

  /** Fails the next connections, one fault each. */
  failNext(...faults: CartesiaFault[]): void {
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
    let fault: CartesiaFault | undefined;
    this.#server.acceptSockets(
      ({ url, headers }) => {
        fault = this.#faults.shift();
        if (typeof fault === 'object' && 'status' in fault) return fault.status;
        if (!/^Bearer \S+$/.test(headers.authorization ?? '') && !headers['x-api-key']) return 401;
        if (!/^\d{4}-\d{2}-\d{2}$/.test(String(headers['cartesia-version']))) return 400;
        return new URL(url ?? '', 'ws://server').pathname === '/tts/websocket' ? undefined : 404;
      },
      (socket, { url, headers }) => {
        const { pathname: path, searchParams: query } = new URL(url ?? '', 'ws://server');
        const connection = { path, query, headers, messages: [], mostOpen: 0, done: [], closed: false };
        this.connections.push(connection);
        new CartesiaSpeechPeer(socket, connection, this.#behaviour, fault);
      },
    );
  }
}
