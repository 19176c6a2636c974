import type { WebSocket } from 'ws';
import { objectOf, textOf } from '../local-server.ts';
import { audioOf, piecesOf } from '../spoken-audio.ts';
import type { ElevenLabsBehaviour, ElevenLabsConnection, ElevenLabsFault } from './behaviour.ts';
import { alignmentOf, formatOf } from './speech.ts';

const maxContexts = 5;

/** The service's side of one connection. */
export class ElevenLabsPeer {
  readonly #socket: WebSocket;
  readonly #connection: ElevenLabsConnection;
  readonly #behaviour: ElevenLabsBehaviour;
  readonly #fault: ElevenLabsFault | undefined;
  /** Contexts that count towards the limit. */
  readonly #contexts = new Map<string, { isClosed: boolean }>();
  #pieces = 0;

  constructor(
    socket: WebSocket,
    connection: ElevenLabsConnection,
    behaviour: ElevenLabsBehaviour,
    fault: ElevenLabsFault | undefined,
  ) {
    this.#socket = socket;
    this.#connection = connection;
    this.#behaviour = behaviour;
    this.#fault = fault;
    socket.on('close', () => {
      connection.closed = true;
    });
    socket.on('message', (data) => {
      if (socket.readyState === socket.OPEN) this.#received(objectOf(textOf(data)));
    });
  }

  /** Ends the closed contexts. */
  release(): void {
    for (const [contextId, { isClosed }] of this.#contexts) if (isClosed) this.#end(contextId);
  }

  #received(message: Record<string, unknown>): void {
    this.#connection.messages.push(message);
    if (message.close_socket === true) this.#socket.close(1000);
    const { context_id: contextId, text } = message;
    if (typeof contextId !== 'string') return;
    const fault = this.#fault;
    if (typeof fault === 'object' && 'error' in fault) {
      this.#refuse(fault.error, `Fault ${fault.error}`);
      return;
    }
    if (typeof text === 'string' && text !== '' && !this.#take(contextId, text)) return;
    const context = this.#contexts.get(contextId);
    if (message.close_context !== true || context === undefined || context.isClosed || fault === 'hang') return;
    context.isClosed = true;
    if (this.#behaviour.closedContexts === 'at-once') this.#end(contextId);
    else if (this.#behaviour.closedContexts === 'drain') {
      setTimeout(() => this.#end(contextId), this.#behaviour.drainMs).unref();
    }
  }

  /** Handles a text for a context. Returns false if the connection was closed because of too many contexts. */
  #take(contextId: string, text: string): boolean {
    const context = this.#contexts.get(contextId);
    if (context === undefined && this.#contexts.size >= maxContexts) {
      const message = `Maximum simultaneous contexts per WebSocket connection exceeded (${maxContexts})`;
      this.#refuse('max_active_conversations', message);
      return false;
    }
    if (context === undefined) this.#contexts.set(contextId, { isClosed: false });
    this.#connection.mostOpen = Math.max(this.#connection.mostOpen, this.#contexts.size);
    if (text.trim() === '' || context?.isClosed === true) return true;
    const fault = this.#fault;
    if (typeof fault === 'object' && 'contextError' in fault) {
      this.#contexts.delete(contextId);
      this.#send({ error: fault.contextError, message: `Fault ${fault.contextError}`, code: 1008, contextId });
      return true;
    }
    if (fault !== 'mute' && fault !== 'hang') this.#speak(contextId, text);
    return true;
  }

  #speak(contextId: string, text: string): void {
    const format = formatOf(this.#connection.query.get('output_format'));
    if (format === undefined) return;
    const pieces = piecesOf(text);
    for (const [at, part] of pieces.entries()) {
      const fault = this.#fault;
      if (typeof fault === 'object' && 'breakAfterPieces' in fault && this.#pieces >= fault.breakAfterPieces) {
        this.#socket.terminate();
        return;
      }
      this.#pieces++;
      const characters = this.#charactersOf(text, part, at, pieces.length);
      const alignment = characters === null ? null : alignmentOf(characters);
      const audio = audioOf(part, this.#pieces, format).toString('base64');
      this.#send({ audio, contextId, alignment, normalizedAlignment: alignment });
    }
  }

  /** Returns the characters that the alignment of a chunk covers; null if it has no alignment. */
  #charactersOf(text: string, part: string, at: number, pieces: number): string | null {
    switch (this.#behaviour.alignment) {
      case 'sparse':
        return at === 0 ? text : null;
      case 'repeated':
        return at === pieces - 1 && at > 0 ? text : part;
      default:
        return part;
    }
  }

  #end(contextId: string): void {
    if (this.#contexts.delete(contextId)) this.#send({ contextId, isFinal: true });
  }

  #refuse(error: string, message: string): void {
    this.#send({ error, message, code: 1008 });
    this.#socket.close(1008, error);
  }

  #send(message: object): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#fault === 'garbage') {
      for (const text of ['{', '[1]', '{"audio":5,"contextId":{}}']) this.#socket.send(text);
    }
    this.#socket.send(JSON.stringify(message));
  }
}
