import type { WebSocket } from 'ws';
import { objectOf, textOf } from '../local-server.ts';
import { audioOf, piecesOf, type SpokenFormat } from '../spoken-audio.ts';
import type { DeepgramConnection, DeepgramFault } from './behaviour.ts';

const encodings = { mulaw: 'pcmu', alaw: 'pcma', linear16: 'pcm16' } as const;
/**
 * Maximum number of Flush messages of a connection (of the service: per minute). Further ones are answered by a warning
 * and ignored.
 */
const maxFlushes = 20;
const maxCharacters = 2_000;

function formatOf(query: URLSearchParams): SpokenFormat | undefined {
  const encoding = Object.entries(encodings).find(([name]) => name === query.get('encoding'))?.[1];
  const sampleRateHz = Number(query.get('sample_rate'));
  if (encoding === undefined || ![8_000, 16_000, 24_000, 32_000, 48_000].includes(sampleRateHz)) return undefined;
  return { encoding, sampleRateHz };
}

/** Returns the HTTP status with which the service rejects a query; undefined if it accepts it. */
export function speechRefusalOf(query: URLSearchParams): number | undefined {
  const isVoice = /^aura-/.test(query.get('model') ?? '');
  return isVoice && formatOf(query) !== undefined ? undefined : 400;
}

/**
 * The service's side of a connection to `/v1/speak`. Audio is sent in binary frames, which do not name the text that
 * they belong to.
 */
export class AuraPeer {
  readonly #socket: WebSocket;
  readonly #connection: DeepgramConnection;
  readonly #fault: DeepgramFault | undefined;
  #buffer = '';
  /** Messages that are still to be sent; a Clear drops them. */
  #queue: (() => void)[] = [];
  #isWorking = false;
  #flushes = 0;
  #sequence = 0;
  #chunks = 0;

  constructor(socket: WebSocket, connection: DeepgramConnection, fault: DeepgramFault | undefined) {
    this.#socket = socket;
    this.#connection = connection;
    this.#fault = fault;
    socket.on('close', () => {
      connection.closed = true;
    });
    socket.on('message', (data) => {
      if (socket.readyState === socket.OPEN) this.#received(objectOf(textOf(data)));
    });
    this.#send({
      type: 'Metadata',
      request_id: 'request',
      model_name: connection.query.get('model') ?? '',
      model_version: '2026-01-01.0',
      model_uuid: 'model',
    });
  }

  #received({ type, text }: Record<string, unknown>): void {
    if (type === 'Speak' && typeof text === 'string' && text.length <= maxCharacters) {
      this.#connection.texts.push(text);
      this.#buffer += text;
      return;
    }
    this.#connection.controls.push(String(type));
    if (type === 'Flush') this.#flush();
    else if (type === 'Clear') this.#clear();
    else if (type === 'Close') this.#socket.close(1000);
    else this.#socket.close(1008, 'DATA-0000');
  }

  #flush(): void {
    this.#flushes++;
    if (this.#flushes > maxFlushes) {
      this.#send({ type: 'Warning', code: 'EXCESSIVE_FLUSH', description: 'Too many Flush messages in 60 seconds' });
      return;
    }
    const format = formatOf(this.#connection.query);
    const text = this.#buffer;
    this.#buffer = '';
    if (format !== undefined && this.#fault !== 'mute') {
      for (const part of piecesOf(text)) this.#queue.push(() => this.#speak(part, format));
    }
    this.#queue.push(() => this.#send({ type: 'Flushed', sequence_id: this.#sequence++ }));
    this.#work();
  }

  #clear(): void {
    this.#buffer = '';
    this.#queue = [];
    if (this.#fault !== 'silent-clear') this.#send({ type: 'Cleared', sequence_id: this.#sequence++ });
  }

  /** Sends the queued messages one by one, so that a Clear can arrive between them. */
  #work(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    setImmediate(() => {
      this.#isWorking = false;
      this.#queue.shift()?.();
      if (this.#queue.length > 0) this.#work();
    });
  }

  #speak(text: string, format: SpokenFormat): void {
    const fault = this.#fault;
    if (typeof fault === 'object' && 'breakAfterChunks' in fault && this.#chunks >= fault.breakAfterChunks) {
      this.#socket.terminate();
      return;
    }
    this.#chunks++;
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(audioOf(text, this.#chunks, format));
  }

  #send(message: object): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#fault === 'garbage') for (const text of ['{', '[1]', '{"type":5}']) this.#socket.send(text);
    this.#socket.send(JSON.stringify(message));
  }
}
