import type { IncomingHttpHeaders } from 'node:http';
import type { WebSocket } from 'ws';
import { durationMs, type SoundFormat, soundMs } from './deepgram/sound.ts';
import { LocalServer, objectOf, textOf } from './local-server.ts';

/** Fault of the next connection to the ElevenLabs transcription server. */
export type ScribeFault =
  /** Rejects the upgrade. */
  | { readonly status: number }
  /** Sends this error instead of the greeting, and closes. */
  | { readonly error: string }
  /** Closes the connection abruptly after that many messages of audio. */
  | { readonly breakAfterChunks: number }
  /** Never responds to a commit. */
  | 'silent-commit'
  /** Never sends the language of committed words, although it was asked for. */
  | 'no-language'
  /** Sends text that is not JSON, and JSON of other shapes, before each transcript. */
  | 'garbage';

/** One connection as the server saw it. */
export interface ScribeConnection {
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  chunks: number;
  commits: number;
  closed: boolean;
}

/** Sound per word of the transcript. */
const wordMs = 200;
/** Audio without which a commit is refused. */
const leastCommitMs = 300;
const garbage = ['{', '[]', '{"message_type":"partial_transcript","text":7}', '7'];

/**
 * ElevenLabs' Scribe over a WebSocket (`/v1/speech-to-text/realtime`) with manual commits.
 *
 * @example const server = await ScribeServer.start(); elevenlabsTranscription({ baseUrl: server.url, apiKey: 'test' })
 */
export class ScribeServer {
  readonly connections: ScribeConnection[] = [];
  readonly #server = new LocalServer();
  readonly #turns: string[];
  readonly #languages: (string | null)[];
  readonly #faults: ScribeFault[] = [];

  constructor(turns: readonly string[] = [], languages: readonly (string | null)[] = []) {
    this.#turns = [...turns];
    this.#languages = [...languages];
  }

  /**
   * @param turns transcripts, one per commit; each grows word by word with the sound
   * @param languages detected languages of the turns, sent on request only
   */
  static async start(turns: readonly string[] = [], languages: readonly (string | null)[] = []): Promise<ScribeServer> {
    const server = new ScribeServer(turns, languages);
    server.#listen();
    await server.#server.listen();
    return server;
  }

  get url(): string {
    return `ws://${this.#server.host}`;
  }

  /** Fails the next connections, one fault each. */
  failNext(...faults: ScribeFault[]): void {
    this.#faults.push(...faults);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #listen(): void {
    let fault: ScribeFault | undefined;
    this.#server.acceptSockets(
      ({ url, headers }) => {
        fault = this.#faults.shift();
        if (typeof fault === 'object' && 'status' in fault) return fault.status;
        if (!headers['xi-api-key']) return 401;
        return new URL(url ?? '', 'ws://server').pathname === '/v1/speech-to-text/realtime' ? undefined : 404;
      },
      (socket, { url, headers }) => {
        const { searchParams: query } = new URL(url ?? '', 'ws://server');
        const connection = { query, headers, chunks: 0, commits: 0, closed: false };
        this.connections.push(connection);
        new ScribePeer(socket, connection, fault, { turns: this.#turns, languages: this.#languages });
      },
    );
  }
}

/** The service's side of one connection. */
class ScribePeer {
  readonly #socket: WebSocket;
  readonly #connection: ScribeConnection;
  readonly #fault: ScribeFault | undefined;
  readonly #turns: string[];
  readonly #languages: (string | null)[];
  readonly #format: SoundFormat;
  #soundMs = 0;
  #audioMs = 0;
  #sentWords = 0;

  constructor(
    socket: WebSocket,
    connection: ScribeConnection,
    fault: ScribeFault | undefined,
    { turns, languages }: { readonly turns: string[]; readonly languages: (string | null)[] },
  ) {
    this.#socket = socket;
    this.#connection = connection;
    this.#fault = fault;
    this.#turns = turns;
    this.#languages = languages;
    const { query } = connection;
    const [, name, rate] = /^(ulaw|pcm)_(8000|16000)$/.exec(query.get('audio_format') ?? '') ?? [];
    this.#format = { encoding: name === 'ulaw' ? 'mulaw' : 'linear16', sampleRateHz: Number(rate ?? 16_000) };
    socket.on('close', () => {
      connection.closed = true;
    });
    socket.on('message', (data) => {
      if (socket.readyState === socket.OPEN) this.#received(objectOf(textOf(data)));
    });
    if (typeof fault === 'object' && 'error' in fault) this.#refuse(fault.error);
    else if (
      name === undefined ||
      !query.has('model_id') ||
      query.getAll('keyterms').some(({ length }) => length > 20)
    ) {
      this.#refuse('invalid_request');
    } else {
      const { sampleRateHz: sample_rate } = this.#format;
      const config = { model_id: query.get('model_id'), audio_format: query.get('audio_format'), sample_rate };
      this.#send({ message_type: 'session_started', session_id: 'session', config });
    }
  }

  #received({ message_type: type, audio_base_64: base64, commit, sample_rate }: Record<string, unknown>): void {
    const isRate = sample_rate === undefined || sample_rate === this.#format.sampleRateHz;
    if (type !== 'input_audio_chunk' || typeof base64 !== 'string' || !isRate) {
      this.#refuse('input_error');
      return;
    }
    this.#heard(Buffer.from(base64, 'base64'));
    if (commit === true) this.#commit();
  }

  #heard(audio: Buffer): void {
    if (audio.length === 0) return;
    this.#connection.chunks++;
    const fault = this.#fault;
    if (typeof fault === 'object' && 'breakAfterChunks' in fault && this.#connection.chunks >= fault.breakAfterChunks) {
      this.#socket.terminate();
      return;
    }
    this.#audioMs += durationMs(audio, this.#format);
    this.#soundMs += soundMs(audio, this.#format);
    const words = (this.#turns[0] ?? '').split(' ').slice(0, Math.floor(this.#soundMs / wordMs));
    if (words.length <= this.#sentWords) return;
    this.#sentWords = words.length;
    this.#transcript('partial_transcript', words.join(' '));
  }

  #commit(): void {
    this.#connection.commits++;
    if (this.#fault === 'silent-commit') return;
    if (this.#audioMs < leastCommitMs) {
      this.#send({ message_type: 'commit_throttled', error: 'Commit request ignored: too little uncommitted audio.' });
      return;
    }
    const text = this.#soundMs < wordMs ? '' : (this.#turns.shift() ?? '');
    this.#audioMs = 0;
    this.#soundMs = 0;
    this.#sentWords = 0;
    this.#transcript('committed_transcript', text);
    const detects = this.#connection.query.get('include_language_detection') === 'true';
    if (!detects || this.#fault === 'no-language') return;
    const language_code = this.#languages.shift() ?? null;
    this.#send({ message_type: 'committed_transcript_with_timestamps', text, language_code, words: [] });
  }

  #transcript(message_type: string, text: string): void {
    if (this.#fault === 'garbage') for (const each of garbage) this.#socket.send(each);
    this.#send({ message_type, text });
  }

  #refuse(message_type: string): void {
    this.#send({ message_type, error: `Fault ${message_type}` });
    this.#socket.close(1008, message_type);
  }

  #send(message: object): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}
