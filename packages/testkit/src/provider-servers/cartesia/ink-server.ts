import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { type SoundFormat, soundMs } from '../deepgram/sound.ts';
import { LocalServer, textOf } from '../local-server.ts';

/** Fault of the next connection to the Cartesia transcription server. */
export type InkFault =
  /** Rejects the upgrade. */
  | { readonly status: number }
  /** Sends this error after the first audio, and closes. */
  | { readonly error: { readonly status_code: number; readonly error_code: string } }
  /** Closes the connection abruptly after that many messages of audio. */
  | { readonly breakAfterChunks: number }
  /** Never responds to `finalize`. */
  | 'silent-finalize'
  /** Sends text that is not JSON, and JSON of other shapes, before each message. */
  | 'garbage';

/** One connection as the server saw it. */
export interface InkConnection {
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly commands: string[];
  chunks: number;
  closed: boolean;
}

/** Sound per word of the transcript. */
const wordMs = 200;
const maxKeyterms = 100;
const maxKeytermCharacters = 1_200;
const garbage = ['{', '[]', '7', '{"type":"transcript","is_final":true,"text":7}', '{"type":"unknown"}'];
const encodings: Record<string, string> = { pcm_mulaw: 'mulaw', pcm_alaw: 'alaw', pcm_s16le: 'linear16' };

/**
 * Cartesia's Ink over a WebSocket with manual finalization (`/stt/websocket`).
 *
 * @example const server = await InkServer.start(['hello']);
 *   cartesiaTranscription({ baseUrl: server.url, apiKey: 'test' })
 */
export class InkServer {
  readonly connections: InkConnection[] = [];
  readonly #server = new LocalServer();
  readonly #turns: string[];
  readonly #faults: InkFault[] = [];

  constructor(turns: readonly string[] = []) {
    this.#turns = [...turns];
  }

  /** @param turns transcripts, one per `finalize`; each grows word by word with the sound */
  static async start(turns: readonly string[] = []): Promise<InkServer> {
    const server = new InkServer(turns);
    server.#listen();
    await server.#server.listen();
    return server;
  }

  get url(): string {
    return `ws://${this.#server.host}`;
  }

  /** Fails the next connections, one fault each. */
  failNext(...faults: InkFault[]): void {
    this.#faults.push(...faults);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #listen(): void {
    let fault: InkFault | undefined;
    this.#server.acceptSockets(
      (request) => {
        fault = this.#faults.shift();
        return typeof fault === 'object' && 'status' in fault ? fault.status : statusOf(request);
      },
      (socket, { url, headers }) => {
        const { searchParams: query } = new URL(url ?? '', 'ws://server');
        const connection = { query, headers, commands: [], chunks: 0, closed: false };
        this.connections.push(connection);
        new InkPeer(socket, connection, fault, this.#turns);
      },
    );
  }
}

/** Returns the HTTP status with which the service rejects an upgrade; undefined if it accepts it. */
function statusOf({ url, headers }: IncomingMessage): number | undefined {
  const { pathname, searchParams: query } = new URL(url ?? '', 'ws://server');
  if (pathname !== '/stt/websocket') return 404;
  if (!/^Bearer \S+$/.test(headers.authorization ?? '') && !headers['x-api-key']) return 401;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(String(headers['cartesia-version']))) return 400;
  const model = query.get('model') ?? '';
  if (model === '' || !query.has('sample_rate') || encodings[query.get('encoding') ?? ''] === undefined) return 400;
  const keyterms = query.getAll('keyterm');
  if (model.startsWith('ink-whisper') && keyterms.length > 0) return 400;
  if (keyterms.length > maxKeyterms || keyterms.join('').length > maxKeytermCharacters) return 400;
  const isEnglish = (query.get('language') ?? 'en') === 'en';
  return model === 'ink-2' && !isEnglish ? 400 : undefined;
}

/** The service's side of one connection. */
class InkPeer {
  readonly #socket: WebSocket;
  readonly #connection: InkConnection;
  readonly #fault: InkFault | undefined;
  readonly #turns: string[];
  readonly #format: SoundFormat;
  #soundMs = 0;
  /** Number of words of the turn that were sent. */
  #sentWords = 0;

  constructor(socket: WebSocket, connection: InkConnection, fault: InkFault | undefined, turns: string[]) {
    this.#socket = socket;
    this.#connection = connection;
    this.#fault = fault;
    this.#turns = turns;
    const { query } = connection;
    const encoding = encodings[query.get('encoding') ?? ''] ?? 'linear16';
    this.#format = { encoding, sampleRateHz: Number(query.get('sample_rate')) };
    socket.on('close', () => {
      connection.closed = true;
    });
    socket.on('message', (data, isBinary) => {
      if (socket.readyState !== socket.OPEN) return;
      if (isBinary) this.#heard(Buffer.from(data as Buffer));
      else this.#commanded(textOf(data));
    });
  }

  #heard(audio: Buffer): void {
    this.#connection.chunks += 1;
    const fault = this.#fault;
    if (typeof fault === 'object' && 'error' in fault) {
      this.#fail(fault.error.status_code, fault.error.error_code);
      return;
    }
    if (typeof fault === 'object' && 'breakAfterChunks' in fault && this.#connection.chunks >= fault.breakAfterChunks) {
      this.#socket.terminate();
      return;
    }
    this.#soundMs += soundMs(audio, this.#format);
    const words = (this.#turns[0] ?? '').split(' ').slice(0, Math.floor(this.#soundMs / wordMs));
    if (words.length <= this.#sentWords || words.join('') === '') return;
    this.#sentWords = words.length;
    this.#transcript(words.join(' '), false);
  }

  #commanded(command: string): void {
    this.#connection.commands.push(command);
    if (command === 'close' || command === 'done') {
      this.#flush();
      this.#send({ type: 'done' });
      this.#socket.close(1000);
    } else if (command !== 'finalize') {
      this.#fail(400, 'invalid_request');
    } else if (this.#fault !== 'silent-finalize') {
      this.#flush();
      this.#send({ type: 'flush_done' });
    }
  }

  /** Sends the final transcript of the turn, in two chunks that may divide a word. */
  #flush(): void {
    const text = this.#soundMs < wordMs ? '' : (this.#turns.shift() ?? '');
    const middle = Math.ceil(text.length / 2);
    for (const chunk of [text.slice(0, middle), text.slice(middle)]) if (chunk !== '') this.#transcript(chunk, true);
    this.#soundMs = 0;
    this.#sentWords = 0;
  }

  #transcript(text: string, is_final: boolean): void {
    const language = this.#connection.query.get('language') ?? 'en';
    this.#send({ type: 'transcript', is_final, text, duration: this.#soundMs / 1_000, language, words: [] });
  }

  #fail(status_code: number, error_code: string): void {
    const doc_url = 'https://docs.cartesia.ai/use-the-api/api-errors';
    this.#send({ type: 'error', title: 'Fault', message: `Fault ${error_code}`, error_code, status_code, doc_url });
    this.#socket.close(1008);
  }

  #send(message: object): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#fault === 'garbage') for (const each of garbage) this.#socket.send(each);
    this.#socket.send(JSON.stringify({ ...message, request_id: 'request' }));
  }
}
