import { type Clock, type Logger, ProviderError, type Timer, type TtsSession, type TtsSessionOptions } from '@va/core';
import { ClientSocket, type SocketLoss } from '../shared/client-socket.ts';
import { type Fields, parseFields } from '../shared/json.ts';
import { Reconnection } from '../shared/reconnection.ts';
import { withoutKey } from '../shared/without-key.ts';
import { readFault } from './fault.ts';
import { type ContextHost, ElevenLabsUtterance } from './utterance.ts';

/** The service closes a connection (code 1008) that opens a sixth context. */
const mostContexts = 5;
/** The service hangs up after `inactivity_timeout` (60 s) without a message. */
const keepAliveMs = 45_000;

export interface SessionTarget {
  readonly url: string;
  readonly apiKey: string;
  readonly headers: Record<string, string>;
  readonly bytesPerMs: number;
  readonly voiceSettings: Fields | undefined;
}

/** One call's connection. Utterances are contexts on it; it is remade when it is lost and something is to be said. */
export class ElevenLabsSession implements TtsSession, ContextHost {
  readonly clock: Clock;
  readonly bytesPerMs: number;
  readonly #target: SessionTarget;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  readonly #reconnection: Reconnection;
  readonly #abort = (): void => this.close();
  #socket: ClientSocket | undefined;
  #open = false;
  #closed = false;
  #keepAlive: Timer | undefined;
  #contexts = 0;
  /** Utterances that wait for a connection, or for a context to become free. */
  #waiting: ElevenLabsUtterance[] = [];
  readonly #speaking = new Map<string, ElevenLabsUtterance>();
  /** Utterances whose events are not all read: those of a session that is closed are not to be. */
  readonly #unread = new Set<ElevenLabsUtterance>();

  constructor(target: SessionTarget, { clock, logger, signal }: TtsSessionOptions) {
    this.clock = clock;
    this.bytesPerMs = target.bytesPerMs;
    this.#target = target;
    this.#logger = logger;
    this.#signal = signal;
    this.#reconnection = new Reconnection(clock);
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
    this.#keepAlive?.cancel();
    this.#reconnection.cancel();
    for (const utterance of this.#unread) utterance.cancel();
    this.#unread.clear();
    this.#socket?.close();
    this.#open = false;
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
    this.#waiting = this.#waiting.filter((waiting) => waiting !== utterance);
    if (!this.#speaking.delete(utterance.contextId)) return;
    if (contextOpen) this.#send({ context_id: utterance.contextId, close_context: true });
    this.#startWaiting();
  }

  read(utterance: ElevenLabsUtterance): void {
    this.#unread.delete(utterance);
  }

  #startWaiting(): void {
    while (this.#open && this.#speaking.size < mostContexts) {
      const utterance = this.#waiting.shift();
      if (utterance === undefined) return;
      this.#start(utterance);
    }
  }

  #start(utterance: ElevenLabsUtterance): void {
    const { contextId: context_id, texts, textEnded } = utterance;
    const { voiceSettings } = this.#target;
    this.#speaking.set(context_id, utterance);
    this.#send({ text: ' ', context_id, ...(voiceSettings !== undefined && { voice_settings: voiceSettings }) });
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

  #received(text: string): void {
    const message = parseFields(text);
    if (message === undefined) {
      const shown = withoutKey(text, this.#target.apiKey).slice(0, 200);
      this.#logger.warn({ text: shown }, 'ElevenLabs sent something that is no message');
      return;
    }
    const fault = readFault(message);
    if (fault !== undefined) {
      const said = withoutKey(fault.message, this.#target.apiKey);
      this.#failAll(new ProviderError('elevenlabs', fault.fault, said));
      return;
    }
    // Audio of a context that was cancelled finds no utterance here.
    const utterance = typeof message.contextId === 'string' ? this.#speaking.get(message.contextId) : undefined;
    if (utterance === undefined) return;
    this.#reconnection.succeeded();
    utterance.receive(message);
  }

  #lost(loss: SocketLoss): void {
    this.#open = false;
    this.#socket = undefined;
    this.#keepAlive?.cancel();
    const error = new ProviderError('elevenlabs', loss.fault, withoutKey(loss.message, this.#target.apiKey), {
      status: loss.status,
    });
    const cut = [...this.#speaking.values()];
    this.#speaking.clear();
    // What was heard in part is for the conversation to take up; the rest is said on the next connection.
    for (const utterance of cut) if (utterance.hasAudio) utterance.fail(error);
    this.#waiting = [...cut.filter((utterance) => !utterance.hasAudio), ...this.#waiting];
    if (!error.retryable) this.#failAll(error);
    if (this.#waiting.length === 0) return;
    if (!this.#reconnection.schedule(() => this.#connect())) this.#failAll(error);
  }

  #failAll(error: ProviderError): void {
    for (const utterance of [...this.#waiting, ...this.#speaking.values()]) utterance.fail(error);
  }

  #send(message: Fields): void {
    if (!this.#open) return;
    this.#socket?.send(JSON.stringify(message));
    this.#armKeepAlive();
  }

  #armKeepAlive(): void {
    this.#keepAlive?.cancel();
    this.#keepAlive = this.clock.setTimer(keepAliveMs, () => this.#send({ text: '' }));
  }
}
