import type { Clock, ProviderError, Timer, TtsSession, TtsSessionOptions } from '@va/core/adapter';
import { ClientSocket, type SocketLoss } from '../connection/client-socket.ts';
import { ConnectionRecovery, type RecoveryTarget } from '../connection/connection-recovery.ts';
import type { ServiceFault } from '../faults/service-fault.ts';
import { parseFields, type VendorFields } from '../json.ts';
import { ContextSlots } from './context-slots.ts';
import type { ServiceMessage, SpeechContext, SpeechProtocol, SpeechWire } from './protocol.ts';
import { type ContextHost, SocketUtterance } from './utterance.ts';

/** Address, credentials and protocol of a service. */
export interface SocketSpeechTarget extends RecoveryTarget {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly bytesPerMs: number;
  readonly protocol: SpeechProtocol;
}

/**
 * Speech synthesis of one phone call. Each utterance is a context on one connection; a lost connection is replaced when
 * there is text to speak.
 */
export class SocketSpeechSession implements TtsSession, ContextHost {
  readonly id: string;
  readonly clock: Clock;
  readonly bytesPerMs: number;
  readonly #target: SocketSpeechTarget;
  readonly #signal: AbortSignal;
  readonly #recovery: ConnectionRecovery;
  readonly #slots: ContextSlots;
  readonly #abort = (): void => this.close();
  #socket: ClientSocket | undefined;
  #wire: SpeechWire;
  #open = false;
  #closed = false;
  #keepAlive: Timer | undefined;
  #utterances = 0;
  /** Utterances that wait for a connection or a free context. */
  #waiting: SocketUtterance[] = [];
  readonly #speaking = new Map<string, SocketUtterance>();
  /** Contexts on this connection, including cancelled ones that the service has not ended. */
  readonly #contexts = new Map<string, SpeechContext>();
  /** Utterances with unread events; they are cancelled when the session closes. */
  readonly #unread = new Set<SocketUtterance>();

  constructor(target: SocketSpeechTarget, { clock, logger, signal }: TtsSessionOptions) {
    this.id = target.id;
    this.clock = clock;
    this.bytesPerMs = target.bytesPerMs;
    this.#target = target;
    this.#signal = signal;
    this.#wire = target.protocol.connect();
    this.#recovery = new ConnectionRecovery(target, { clock, logger });
    this.#slots = new ContextSlots(clock, target.protocol, (confirmed) => this.#contextGone(confirmed));
    if (signal.aborted) this.close();
    else signal.addEventListener('abort', this.#abort, { once: true });
    this.#connect();
  }

  speak(): SocketUtterance {
    this.#utterances++;
    const utterance = new SocketUtterance(`utterance-${this.#utterances}`, this);
    if (this.#closed) utterance.cancel();
    else this.#unread.add(utterance);
    return utterance;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#signal.removeEventListener('abort', this.#abort);
    this.#recovery.cancel();
    for (const utterance of this.#unread) utterance.cancel();
    this.#unread.clear();
    this.#disconnect();
  }

  begin(utterance: SocketUtterance): void {
    this.#waiting.push(utterance);
    this.#connect();
    this.#startWaiting();
  }

  sendText({ contextId }: SocketUtterance, text: string): void {
    if (this.#speaking.has(contextId)) this.#send(this.#contexts.get(contextId)?.text(text));
  }

  sendEnd(utterance: SocketUtterance): void {
    if (!this.#speaking.has(utterance.contextId)) return;
    const context = this.#contexts.get(utterance.contextId);
    if (context?.isIdle === true) utterance.receive({ isFinal: true });
    else this.#send(context?.end());
  }

  finished(utterance: SocketUtterance, contextOpen: boolean): void {
    const { contextId } = utterance;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== utterance);
    if (!this.#speaking.delete(contextId)) return;
    const context = this.#contexts.get(contextId);
    if (contextOpen && context?.isIdle !== true) {
      this.#slots.closing(contextId);
      this.#send(context?.cancel());
    } else this.#release(contextId);
    this.#startWaiting();
  }

  read(utterance: SocketUtterance): void {
    this.#unread.delete(utterance);
  }

  #startWaiting(): void {
    while (this.#open && this.#slots.hasFree) {
      const utterance = this.#waiting.shift();
      if (utterance === undefined) return;
      this.#start(utterance);
    }
    // Only cancelled contexts hold slots: a new connection is faster than their end.
    const reconnects = this.#target.protocol.whenBlocked === 'reconnect';
    if (reconnects && this.#open && this.#waiting.length > 0 && this.#slots.isBlocked) {
      this.#disconnect();
      this.#connect();
    }
  }

  #start(utterance: SocketUtterance): void {
    const { contextId, texts, textEnded } = utterance;
    const context = this.#wire.open(contextId);
    this.#speaking.set(contextId, utterance);
    this.#contexts.set(contextId, context);
    this.#slots.take(contextId);
    this.#send(context.start());
    for (const text of texts) this.#send(context.text(text));
    if (textEnded) this.#send(context.end());
  }

  #contextGone(confirmed: boolean): void {
    // Messages of such services name no context, so late audio would be attributed to the next utterance.
    if (!confirmed && this.#target.protocol.whenBlocked === 'wait') {
      this.#disconnect();
      this.#connect();
    } else this.#startWaiting();
  }

  #release(contextId: string): void {
    this.#contexts.delete(contextId);
    this.#slots.release(contextId);
  }

  #connect(): void {
    if (this.#closed || this.#socket !== undefined) return;
    this.#wire = this.#target.protocol.connect();
    this.#socket = new ClientSocket(this.#target.url, this.#target.headers, this.clock, {
      onOpen: () => {
        this.#open = true;
        this.#armKeepAlive();
        this.#startWaiting();
      },
      onText: (text) => this.#receivedText(text),
      onBinary: (audio) => this.#received(audio),
      onLost: (loss) => this.#lost(loss),
    });
  }

  #disconnect(): void {
    this.#open = false;
    this.#socket?.close();
    this.#socket = undefined;
    this.#keepAlive?.cancel();
    this.#contexts.clear();
    this.#slots.clear();
  }

  #receivedText(text: string): void {
    const message = parseFields(text);
    if (message === undefined) {
      this.#recovery.logUnreadable(text);
      return;
    }
    const fault = this.#wire.faultOf(message);
    if (fault === undefined) this.#received(message);
    else this.#failed(fault);
  }

  #received(message: ServiceMessage): void {
    const contextId = this.#wire.contextOf(message);
    const context = contextId === undefined ? undefined : this.#contexts.get(contextId);
    if (contextId === undefined || context === undefined) return;
    const utterance = this.#speaking.get(contextId);
    const progress = { receivedMs: utterance?.receivedMs ?? 0, text: utterance?.texts.join('') ?? '' };
    const piece = context.read(message, progress);
    this.#send(piece.replies);
    if (utterance !== undefined) {
      this.#recovery.succeeded();
      utterance.receive(piece);
    } else if (piece.isFinal === true) this.#release(contextId);
  }

  #failed({ fault, message, contextId }: ServiceFault): void {
    const error = this.#recovery.errorOf({ fault, message });
    if (contextId !== undefined) {
      this.#speaking.get(contextId)?.fail(error);
      this.#release(contextId);
    } else if (error.retryable) this.#lost({ fault, message });
    else this.#failAll(error);
  }

  #lost(loss: SocketLoss): void {
    this.#disconnect();
    const error = this.#recovery.errorOf(loss);
    const cut = [...this.#speaking.values()];
    this.#speaking.clear();
    // An utterance with audio fails, and the conversation continues it; the others are spoken on the next connection.
    for (const utterance of cut) if (utterance.hasAudio) utterance.fail(error);
    this.#waiting = [...cut.filter((utterance) => !utterance.hasAudio), ...this.#waiting];
    if (this.#waiting.length === 0) return;
    if (!this.#recovery.reconnect(error, () => this.#connect())) this.#failAll(error);
  }

  #failAll(error: ProviderError): void {
    for (const utterance of [...this.#waiting, ...this.#speaking.values()]) utterance.fail(error);
  }

  #send(messages: readonly VendorFields[] = []): void {
    if (!this.#open || messages.length === 0) return;
    for (const message of messages) this.#socket?.send(JSON.stringify(message));
    this.#armKeepAlive();
  }

  /**
   * Schedules the keep-alive messages. The service times out each context on its own, so each one that waits for text
   * gets its own message.
   */
  #armKeepAlive(): void {
    const { keepAliveMs } = this.#target.protocol;
    this.#keepAlive?.cancel();
    if (keepAliveMs === undefined) return;
    this.#keepAlive = this.clock.setTimer(keepAliveMs, () => {
      const idle = [...this.#speaking.values()].filter(({ textEnded }) => !textEnded);
      if (idle.length === 0) this.#send(this.#wire.keepAlive?.());
      for (const { contextId } of idle) this.#send(this.#contexts.get(contextId)?.keepAlive?.());
      this.#armKeepAlive();
    });
  }
}
