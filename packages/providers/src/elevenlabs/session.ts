import {
  type Clock,
  type Logger,
  ProviderError,
  type Timer,
  type TtsSession,
  type TtsSessionOptions,
} from '@va/core/adapter';
import { ClientSocket, type SocketLoss } from '../shared/client-socket.ts';
import { type Fields, parseFields } from '../shared/json.ts';
import { Reconnection } from '../shared/reconnection.ts';
import { withoutKey } from '../shared/without-key.ts';
import { ContextSlots } from './context-slots.ts';
import { readFault, type ServiceFault } from './fault.ts';
import { type ContextHost, ElevenLabsUtterance } from './utterance.ts';

/**
 * `inactivity_timeout` of the connection, the maximum that the service accepts: it ends contexts without text after it.
 */
export const inactivityTimeoutSeconds = 180;
const keepAliveMs = 60_000;

export interface SessionTarget {
  /** Registry id of the provider, for errors and logs. */
  readonly id: string;
  readonly url: string;
  readonly apiKey: string;
  readonly headers: Record<string, string>;
  readonly bytesPerMs: number;
  /** Settings in the first message of each context, such as `voice_settings`. */
  readonly contextSettings: Fields;
}

/**
 * The connection of one call. Each utterance is a context on it; a lost connection is replaced when there is text to
 * speak.
 */
export class ElevenLabsSession implements TtsSession, ContextHost {
  readonly id: string;
  readonly clock: Clock;
  readonly bytesPerMs: number;
  readonly #target: SessionTarget;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  readonly #reconnection: Reconnection;
  readonly #slots: ContextSlots;
  readonly #abort = (): void => this.close();
  #socket: ClientSocket | undefined;
  #open = false;
  #closed = false;
  #keepAlive: Timer | undefined;
  #contexts = 0;
  /** Utterances that wait for a connection or a free context. */
  #waiting: ElevenLabsUtterance[] = [];
  readonly #speaking = new Map<string, ElevenLabsUtterance>();
  /** Utterances with unread events; they are cancelled when the session closes. */
  readonly #unread = new Set<ElevenLabsUtterance>();

  constructor(target: SessionTarget, { clock, logger, signal }: TtsSessionOptions) {
    this.id = target.id;
    this.clock = clock;
    this.bytesPerMs = target.bytesPerMs;
    this.#target = target;
    this.#logger = logger;
    this.#signal = signal;
    this.#reconnection = new Reconnection(clock);
    this.#slots = new ContextSlots(clock, () => this.#startWaiting());
    if (signal.aborted) this.close();
    else signal.addEventListener('abort', this.#abort, { once: true });
    this.#connect();
  }

  speak(): ElevenLabsUtterance {
    this.#contexts++;
    const utterance = new ElevenLabsUtterance(`utterance-${this.#contexts}`, this);
    if (this.#closed) utterance.cancel();
    else this.#unread.add(utterance);
    return utterance;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#signal.removeEventListener('abort', this.#abort);
    this.#reconnection.cancel();
    for (const utterance of this.#unread) utterance.cancel();
    this.#unread.clear();
    this.#disconnect();
  }

  begin(utterance: ElevenLabsUtterance): void {
    this.#waiting.push(utterance);
    this.#connect();
    this.#startWaiting();
  }

  sendText(utterance: ElevenLabsUtterance, text: string): void {
    if (this.#speaking.has(utterance.contextId)) this.#send({ text, context_id: utterance.contextId, flush: true });
  }

  sendEnd(utterance: ElevenLabsUtterance): void {
    if (this.#speaking.has(utterance.contextId)) this.#send({ context_id: utterance.contextId, close_context: true });
  }

  finished(utterance: ElevenLabsUtterance, contextOpen: boolean): void {
    const { contextId } = utterance;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== utterance);
    if (!this.#speaking.delete(contextId)) return;
    if (contextOpen) {
      this.#slots.closing(contextId);
      this.#send({ context_id: contextId, close_context: true });
    } else this.#slots.release(contextId);
    this.#startWaiting();
  }

  read(utterance: ElevenLabsUtterance): void {
    this.#unread.delete(utterance);
  }

  #startWaiting(): void {
    while (this.#open && this.#slots.hasFree) {
      const utterance = this.#waiting.shift();
      if (utterance === undefined) return;
      this.#start(utterance);
    }
    // The slots are used by text without a listener: a new connection is faster.
    if (this.#open && this.#waiting.length > 0 && this.#slots.isBlocked) {
      this.#disconnect();
      this.#connect();
    }
  }

  #start(utterance: ElevenLabsUtterance): void {
    const { contextId: context_id, texts, textEnded } = utterance;
    this.#speaking.set(context_id, utterance);
    this.#slots.take(context_id);
    this.#send({ text: ' ', context_id, ...this.#target.contextSettings });
    for (const text of texts) this.#send({ text, context_id, flush: true });
    if (textEnded) this.#send({ context_id, close_context: true });
  }

  #connect(): void {
    if (this.#closed || this.#socket !== undefined) return;
    this.#socket = new ClientSocket(this.#target.url, this.#target.headers, this.clock, {
      onOpen: () => {
        this.#open = true;
        this.#armKeepAlive();
        this.#startWaiting();
      },
      onText: (text) => this.#received(text),
      onLost: (loss) => this.#lost(loss),
    });
  }

  #disconnect(): void {
    this.#open = false;
    this.#socket?.close();
    this.#socket = undefined;
    this.#keepAlive?.cancel();
    this.#slots.clear();
  }

  #received(text: string): void {
    const message = parseFields(text);
    if (message === undefined) {
      const shown = withoutKey(text, this.#target.apiKey).slice(0, 200);
      this.#logger.warn({ provider: this.id, text: shown }, 'received an unreadable message');
      return;
    }
    const fault = readFault(message);
    if (fault !== undefined) {
      this.#failed({ ...fault, message: withoutKey(fault.message, this.#target.apiKey) });
      return;
    }
    const { contextId } = message;
    if (typeof contextId !== 'string') return;
    const utterance = this.#speaking.get(contextId);
    if (utterance !== undefined) {
      this.#reconnection.succeeded();
      utterance.receive(message);
    } else if (message.isFinal === true) this.#slots.release(contextId);
  }

  #failed({ fault, message, contextId }: ServiceFault): void {
    const error = new ProviderError(this.id, fault, message);
    if (contextId !== undefined) {
      this.#speaking.get(contextId)?.fail(error);
      this.#slots.release(contextId);
    } else if (error.retryable) this.#lost({ fault, message });
    else this.#failAll(error);
  }

  #lost(loss: SocketLoss): void {
    this.#disconnect();
    const error = new ProviderError(this.id, loss.fault, withoutKey(loss.message, this.#target.apiKey), {
      status: loss.status,
    });
    const cut = [...this.#speaking.values()];
    this.#speaking.clear();
    // The conversation repeats an utterance that was heard in part; the others are spoken on the next connection.
    for (const utterance of cut) if (utterance.hasAudio) utterance.fail(error);
    this.#waiting = [...cut.filter((utterance) => !utterance.hasAudio), ...this.#waiting];
    if (!error.retryable) this.#failAll(error);
    if (this.#waiting.length === 0) return;
    if (!this.#reconnection.schedule(() => this.#connect())) this.#failAll(error);
    else this.#logger.warn({ provider: this.id, err: error }, 'lost the connection; reconnecting');
  }

  #failAll(error: ProviderError): void {
    for (const utterance of [...this.#waiting, ...this.#speaking.values()]) utterance.fail(error);
  }

  #send(message: Fields): void {
    if (!this.#open) return;
    this.#socket?.send(JSON.stringify(message));
    this.#armKeepAlive();
  }

  /** The contexts time out one by one; an idle connection needs none. */
  #armKeepAlive(): void {
    this.#keepAlive?.cancel();
    this.#keepAlive = this.clock.setTimer(keepAliveMs, () => {
      const contexts = [...this.#speaking.values()].filter(({ textEnded }) => !textEnded);
      if (contexts.length === 0) this.#send({ text: '' });
      for (const { contextId: context_id } of contexts) this.#send({ text: '', context_id });
    });
  }
}
