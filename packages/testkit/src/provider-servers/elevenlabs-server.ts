import type { IncomingHttpHeaders } from 'node:http';
import type { WebSocket } from 'ws';
import { LocalServer, objectOf, textOf } from './local-server.ts';

const mostContexts = 5;
const msPerCharacter = 40;
const bytesPerMs = { ulaw_8000: 8, pcm_8000: 16 } as const;

export type ElevenLabsFault =
  /** Refuses the upgrade. */
  | { readonly status: number }
  /** Cuts the connection after so many pieces of audio. */
  | { readonly breakAfterPieces: number }
  /** Sends this error to the first text, and closes: `quota_exceeded`, `invalid_api_key`, … */
  | { readonly error: string }
  /** Ends every context without audio. */
  | 'mute'
  /** Takes text and never answers. */
  | 'hang'
  /** Sends text that is no JSON, and JSON of other shapes, before each piece of audio. */
  | 'garbage';

/** One connection as the server saw it. */
export interface ElevenLabsConnection {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly messages: Record<string, unknown>[];
  /** The most contexts that were open at one time. */
  mostOpen: number;
  closed: boolean;
}

/** ElevenLabs' speech over a WebSocket with several contexts (`multi-stream-input`). Speaks 40 ms a character. */
export class ElevenLabsServer {
  readonly connections: ElevenLabsConnection[] = [];
  readonly #server = new LocalServer();
  readonly #faults: ElevenLabsFault[] = [];

  static async start(): Promise<ElevenLabsServer> {
    const server = new ElevenLabsServer();
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

  /** Cuts the connections that are open, as a network would. */
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
        return /^\/v1\/text-to-speech\/[^/]+\/multi-stream-input\?/.test(url ?? '') ? undefined : 404;
      },
      (socket, { url, headers }) => {
        const { pathname: path, searchParams: query } = new URL(url ?? '', 'ws://server');
        const connection = { path, query, headers, messages: [], mostOpen: 0, closed: false };
        this.connections.push(connection);
        serve(socket, connection, fault);
      },
    );
  }
}

function serve(socket: WebSocket, connection: ElevenLabsConnection, fault: ElevenLabsFault | undefined): void {
  const contexts = new Set<string>();
  let pieces = 0;
  const send = (message: object): void => {
    if (fault === 'garbage') for (const text of ['{', '[1]', '{"audio":5,"contextId":{}}']) socket.send(text);
    socket.send(JSON.stringify(message));
  };
  const speak = (contextId: string, text: string): void => {
    const encoding = connection.query.get('output_format') === 'pcm_8000' ? 'pcm_8000' : 'ulaw_8000';
    for (const part of text.match(/.{1,12}/g) ?? []) {
      if (typeof fault === 'object' && 'breakAfterPieces' in fault && pieces >= fault.breakAfterPieces) {
        socket.terminate();
        return;
      }
      pieces++;
      const audio = Buffer.alloc(part.length * msPerCharacter * bytesPerMs[encoding], pieces);
      send({ audio: audio.toString('base64'), contextId, isFinal: null, alignment: alignment(part) });
    }
  };
  socket.on('close', () => {
    connection.closed = true;
  });
  socket.on('message', (data) => {
    const message = objectOf(textOf(data));
    connection.messages.push(message);
    const { context_id: contextId, text } = message;
    if (typeof contextId !== 'string') return;
    if (typeof fault === 'object' && 'error' in fault) {
      send({ error: fault.error, message: `Fault ${fault.error}`, code: 1008 });
      socket.close(1008, fault.error);
      return;
    }
    if (typeof text === 'string' && text !== '') {
      contexts.add(contextId);
      connection.mostOpen = Math.max(connection.mostOpen, contexts.size);
      if (contexts.size > mostContexts) {
        socket.close(1008, 'max_active_conversations');
        return;
      }
      if (text.trim() !== '' && fault !== 'mute' && fault !== 'hang') speak(contextId, text);
    }
    if (message.close_context === true && contexts.delete(contextId) && fault !== 'hang') {
      send({ contextId, isFinal: true });
    }
  });
}

/** The times of a piece count from the piece's own first sample. */
function alignment(text: string): object {
  const chars = [...text];
  return {
    chars,
    charStartTimesMs: chars.map((_, at) => at * msPerCharacter),
    charDurationsMs: chars.map(() => msPerCharacter),
  };
}
