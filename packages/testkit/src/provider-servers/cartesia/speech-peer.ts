import type { WebSocket } from 'ws';
import { objectOf, textOf } from '../local-server.ts';
import { audioOf, msPerCharacter, piecesOf, type SpokenFormat } from '../spoken-audio.ts';
import type { CartesiaBehaviour, CartesiaConnection, CartesiaFault } from './behaviour.ts';

const encodings = { pcm_mulaw: 'pcmu', pcm_alaw: 'pcma', pcm_s16le: 'pcm16' } as const;

interface Context {
  /** Text that waits for a flush or for the end. */
  buffer: string;
  flushes: number;
  spokenMs: number;
  state: 'open' | 'draining';
  expiry: NodeJS.Timeout | undefined;
}

/** Parses an `output_format`; undefined if the service does not support it. */
function formatOf(value: unknown): SpokenFormat | undefined {
  const { container, encoding, sample_rate: rate } = objectOf(JSON.stringify(value ?? null));
  const known = Object.entries(encodings).find(([name]) => name === encoding)?.[1];
  const isKnown = container === 'raw' && known !== undefined && [8_000, 16_000, 24_000].includes(Number(rate));
  return isKnown ? { encoding: known, sampleRateHz: Number(rate) } : undefined;
}

/** The service's side of a connection to `/tts/websocket`. */
export class CartesiaSpeechPeer {
  readonly #socket: WebSocket;
  readonly #connection: CartesiaConnection;
  readonly #behaviour: CartesiaBehaviour;
  readonly #fault: CartesiaFault | undefined;
  readonly #contexts = new Map<string, Context>();
  /** Ids of contexts that are gone: they cannot be used again. */
  readonly #gone = new Set<string>();
  #chunks = 0;

  constructor(
    socket: WebSocket,
    connection: CartesiaConnection,
    behaviour: CartesiaBehaviour,
    fault: CartesiaFault | undefined,
  ) {
    this.#socket = socket;
    this.#connection = connection;
    this.#behaviour = behaviour;
    this.#fault = fault;
    socket.on('close', () => {
      connection.closed = true;
      for (const { expiry } of this.#contexts.values()) clearTimeout(expiry);
    });
    socket.on('message', (data) => {
      if (socket.readyState === socket.OPEN) this.#received(objectOf(textOf(data)));
    });
  }

  #received(message: Record<string, unknown>): void {
    this.#connection.messages.push(message);
    const { context_id: id } = message;
    if (typeof id !== 'string') {
      this.#refuse(undefined, 400, 'invalid_request', 'context_id is required');
      return;
    }
    if (message.cancel === true) this.#cancel(id);
    else this.#generate(id, message);
  }

  #cancel(id: string): void {
    const context = this.#contexts.get(id);
    if (context === undefined) return;
    context.state = 'draining';
    clearTimeout(context.expiry);
    context.expiry = setTimeout(() => this.#done(id), this.#behaviour.drainMs).unref();
  }

  #generate(id: string, message: Record<string, unknown>): void {
    const format = formatOf(message.output_format);
    const { fault } = this.#problem(id, message, format);
    if (fault !== undefined) {
      this.#refuse(id, ...fault);
      return;
    }
    const context = this.#contexts.get(id) ?? this.#open(id);
    if (context === undefined || format === undefined || context.state === 'draining') return;
    clearTimeout(context.expiry);
    if (this.#fault === 'hang') return;
    context.buffer += String(message.transcript);
    const isLast = message.continue !== true;
    if (message.flush === true || isLast) this.#speak(id, context, message, format);
    if (message.flush === true) {
      context.flushes++;
      this.#send({ type: 'flush_done', context_id: id, flush_id: context.flushes, flush_done: true, done: false });
    }
    const endMs = isLast ? 0 : this.#behaviour.expireMs;
    context.expiry = setTimeout(() => this.#done(id), endMs).unref();
  }

  #problem(
    id: string,
    message: Record<string, unknown>,
    format: SpokenFormat | undefined,
  ): { fault?: [number, string, string] } {
    if (typeof message.model_id !== 'string') return { fault: [400, 'invalid_request', 'model_id is required'] };
    if (typeof message.transcript !== 'string') return { fault: [400, 'invalid_request', 'transcript is required'] };
    if (format === undefined) return { fault: [400, 'invalid_request', 'invalid output_format'] };
    if (this.#gone.has(id)) return { fault: [400, 'context_expired', `the context ${id} has expired`] };
    const fault = this.#fault;
    if (typeof fault === 'object' && 'contextError' in fault) {
      return { fault: [fault.contextError.status, fault.contextError.code, 'Fault'] };
    }
    if (this.#contexts.has(id) || this.#contexts.size < this.#behaviour.concurrency) return {};
    return { fault: [429, 'concurrency_limited', 'Too many concurrent requests'] };
  }

  #open(id: string): Context {
    const context: Context = { buffer: '', flushes: 0, spokenMs: 0, state: 'open', expiry: undefined };
    this.#contexts.set(id, context);
    this.#connection.mostOpen = Math.max(this.#connection.mostOpen, this.#contexts.size);
    return context;
  }

  #speak(id: string, context: Context, { add_timestamps: timed }: Record<string, unknown>, format: SpokenFormat): void {
    const { buffer } = context;
    context.buffer = '';
    if (this.#fault === 'mute') return;
    const common = { context_id: id, flush_id: context.flushes + 1, done: false };
    for (const part of piecesOf(buffer)) {
      const fault = this.#fault;
      if (typeof fault === 'object' && 'breakAfterChunks' in fault && this.#chunks >= fault.breakAfterChunks) {
        this.#socket.terminate();
        return;
      }
      this.#chunks++;
      const data = audioOf(part, this.#chunks, format).toString('base64');
      this.#send({ type: 'chunk', data, step_time: 3.5, ...common });
    }
    const words = [...buffer.matchAll(/\S+/g)];
    const second = (at: number): number => (context.spokenMs + at * msPerCharacter) / 1_000;
    const word_timestamps = {
      words: words.map(([word]) => word),
      start: words.map(({ index }) => second(index)),
      end: words.map(({ 0: word, index }) => second(index + word.length)),
    };
    if (timed === true && words.length > 0) this.#send({ type: 'timestamps', word_timestamps, ...common });
    context.spokenMs += buffer.length * msPerCharacter;
  }

  #done(id: string): void {
    this.#gone.add(id);
    if (!this.#contexts.delete(id)) return;
    this.#connection.done.push(id);
    this.#send({ type: 'done', context_id: id, done: true });
  }

  #refuse(id: string | undefined, status: number, code: string, message: string): void {
    this.#gone.add(id ?? '');
    if (id !== undefined) this.#contexts.delete(id);
    const about = id === undefined ? {} : { context_id: id };
    const error = {
      type: 'error',
      done: true,
      error_code: code,
      title: code,
      message,
      request_id: 'request',
      ...about,
    };
    this.#send(error, status);
  }

  #send(message: object, status = 200): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#fault === 'garbage') {
      for (const text of ['{', '[1]', '{"type":"chunk","context_id":{},"data":5}']) this.#socket.send(text);
    }
    this.#socket.send(JSON.stringify({ status_code: status, ...message }));
  }
}
