import { AuraPeer, speechRefusalOf } from './deepgram/aura-peer.ts';
import type { DeepgramBehaviour, DeepgramConnection, DeepgramFault } from './deepgram/behaviour.ts';
import { FluxPeer } from './deepgram/flux-peer.ts';
import { fitKeyterms } from './deepgram/keyterm-limit.ts';
import { NovaPeer } from './deepgram/nova-peer.ts';
import { LocalServer } from './local-server.ts';

const encodings = ['linear16', 'mulaw', 'alaw'];

/** Options of the Deepgram server. */
export interface DeepgramServerOptions extends Partial<DeepgramBehaviour> {
  /** Transcripts, one per turn; each grows word by word with the sound. */
  readonly turns?: readonly string[];
}

/**
 * Deepgram's live transcription (`/v1/listen` over WebSocket), Flux (`/v2/listen`) and Aura's speech (`/v1/speak`), at
 * 40 ms per character.
 *
 * @example const server = await DeepgramServer.start(); deepgram({ baseUrl: server.url, apiKey: 'test' })
 */
export class DeepgramServer {
  readonly connections: DeepgramConnection[] = [];
  readonly #server = new LocalServer();
  readonly #turns: string[];
  readonly #behaviour: DeepgramBehaviour;
  readonly #faults: DeepgramFault[] = [];

  constructor({ turns = [], ...behaviour }: DeepgramServerOptions = {}) {
    this.#turns = [...turns];
    this.#behaviour = {
      finalize: 'unanswered-when-empty',
      endpointing: 'as-asked',
      forceEndTurn: false,
      languages: [],
      ...behaviour,
    };
  }

  static async start(options: DeepgramServerOptions = {}): Promise<DeepgramServer> {
    const server = new DeepgramServer(options);
    server.#listen();
    await server.#server.listen();
    return server;
  }

  get url(): string {
    return `ws://${this.#server.host}`;
  }

  /** Fails the next connections, one fault each. */
  failNext(...faults: DeepgramFault[]): void {
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
    let fault: DeepgramFault | undefined;
    this.#server.acceptSockets(
      ({ url, headers }) => {
        fault = this.#faults.shift();
        if (typeof fault === 'object' && 'status' in fault) return fault.status;
        if (!/^Token \S+$/i.test(headers.authorization ?? '')) return 401;
        const { pathname, searchParams } = new URL(url ?? '', 'ws://server');
        if (pathname === '/v1/speak') return speechRefusalOf(searchParams);
        return /^\/v[12]\/listen$/.test(pathname) ? refusalOf(searchParams) : 404;
      },
      (socket, { url, headers }) => {
        const { pathname: path, searchParams: query } = new URL(url ?? '', 'ws://server');
        const connection: DeepgramConnection = {
          path,
          query,
          headers,
          audioBytes: 0,
          controls: [],
          keyterms: [],
          texts: [],
          unansweredFinalizes: 0,
          closed: false,
        };
        this.connections.push(connection);
        if (path === '/v1/speak') {
          new AuraPeer(socket, connection, fault);
          return;
        }
        const Peer = path === '/v2/listen' ? FluxPeer : NovaPeer;
        new Peer(socket, connection, { fault, behaviour: this.#behaviour, turns: this.#turns });
      },
    );
  }
}

/** Returns the HTTP status with which the service rejects a query; undefined if it accepts it. */
function refusalOf(query: URLSearchParams): number | undefined {
  const model = query.get('model') ?? '';
  const isKnownEncoding = encodings.includes(query.get('encoding') ?? '');
  const keyterms = query.getAll('keyterm');
  const takesKeyterms = model.startsWith('nova-3') || model.startsWith('flux');
  const isMistaken = takesKeyterms ? query.has('keywords') : keyterms.length > 0;
  return isKnownEncoding && !isMistaken && fitKeyterms(keyterms) ? undefined : 400;
}
