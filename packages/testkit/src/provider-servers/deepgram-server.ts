import type { IncomingHttpHeaders } from 'node:http';
import type { WebSocket } from 'ws';
import { serveFlux } from './deepgram-flux.ts';
import { LocalServer, objectOf, textOf } from './local-server.ts';
import { soundingBytes } from './sounding-bytes.ts';

/** Sound after which the transcript grows by a word: 200 ms at 8 kHz, one byte a sample. */
const bytesPerWord = 1_600;

export type DeepgramFault =
  /** Refuses the upgrade. */
  | { readonly status: number }
  /** Cuts the connection once so many bytes of sound have come since the last Finalize. */
  | { readonly breakAfterBytes: number }
  /** Never answers a Finalize. */
  | 'silent-finalize'
  /** Flux: tells of turns until they end, and never that. */
  | 'endless-turns'
  /** Sends text that is no JSON, and JSON of other shapes, before each transcript. */
  | 'garbage';

/** One connection as the server saw it. */
export interface DeepgramConnection {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  audioBytes: number;
  /** The `type` of each control message: KeepAlive, Finalize, CloseStream. */
  readonly controls: string[];
  closed: boolean;
}

export interface DeepgramServerOptions {
  /** What is heard, one transcript per Finalize, or per turn of Flux; each grows word by word with the sound. */
  readonly turns?: readonly string[];
}

/** Deepgram's live transcription (`/v1/listen` over WebSocket), and Flux (`/v2/listen`). */
export class DeepgramServer {
  readonly connections: DeepgramConnection[] = [];
  readonly #server = new LocalServer();
  readonly #turns: string[];
  readonly #faults: DeepgramFault[] = [];

  constructor({ turns = [] }: DeepgramServerOptions = {}) {
    this.#turns = [...turns];
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

  /** The next connections fail, one fault each. */
  failNext(...faults: DeepgramFault[]): void {
    this.#faults.push(...faults);
  }

  /** Cuts the connections that are open, as a network would. */
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
        return /^\/v[12]\/listen\?/.test(url ?? '') ? undefined : 404;
      },
      (socket, { url, headers }) => {
        const { pathname: path, searchParams: query } = new URL(url ?? '', 'ws://server');
        const connection = { path, query, headers, audioBytes: 0, controls: [], closed: false };
        this.connections.push(connection);
        if (path === '/v2/listen') serveFlux(socket, connection, fault, this.#turns);
        else this.#serve(socket, connection, fault);
      },
    );
  }

  #serve(socket: WebSocket, connection: DeepgramConnection, fault: DeepgramFault | undefined): void {
    const { query } = connection;
    let spoken = 0;
    const send = (message: object): void => socket.send(JSON.stringify(message));
    const heard = (): string => {
      const words = (this.#turns[0] ?? '').split(' ');
      return words.slice(0, Math.floor(spoken / bytesPerWord)).join(' ');
    };
    const sendResults = (transcript: string, flags: { is_final: boolean; from_finalize: boolean }): void => {
      if (fault === 'garbage') {
        for (const text of ['{"type":', '[]', '{"type":"Results","channel":7}', '{"type":"SpeechStarted"}']) {
          socket.send(text);
        }
      }
      send(results(transcript, flags));
    };
    socket.on('close', () => {
      connection.closed = true;
    });
    socket.on('message', (data, isBinary) => {
      if (isBinary) {
        const before = heard();
        const bytes = (data as Buffer).length;
        connection.audioBytes += bytes;
        spoken += query.get('encoding') === 'mulaw' ? soundingBytes(data as Buffer) : bytes;
        if (typeof fault === 'object' && 'breakAfterBytes' in fault && spoken >= fault.breakAfterBytes) {
          socket.terminate();
          return;
        }
        if (heard() !== before) sendResults(heard(), { is_final: false, from_finalize: false });
        return;
      }
      const type = String(objectOf(textOf(data)).type);
      connection.controls.push(type);
      if (type === 'Finalize' && fault !== 'silent-finalize') {
        sendResults(this.#turns.shift() ?? '', { is_final: true, from_finalize: true });
        spoken = 0;
      }
      if (type === 'CloseStream') {
        send({ type: 'Metadata', request_id: 'request', duration: connection.audioBytes / 8_000, channels: 1 });
        socket.close(1000);
      }
    });
  }
}

function results(transcript: string, flags: { is_final: boolean; from_finalize: boolean }): object {
  return {
    type: 'Results',
    channel_index: [0, 1],
    duration: 1,
    start: 0,
    speech_final: flags.is_final,
    ...flags,
    channel: { alternatives: [{ transcript, confidence: 0.98, words: [] }] },
    metadata: { request_id: 'request', model_uuid: 'model', model_info: { name: 'nova', version: '1', arch: 'nova' } },
  };
}
