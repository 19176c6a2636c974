import {
  type Clock,
  EventQueue,
  type Logger,
  type SttEvent,
  type SttStream,
  type SttStreamOptions,
  type Timer,
} from '@va/core/adapter';
import { bytesPerMs } from '../bytes-per-ms.ts';
import { ClientSocket, type SocketLoss } from '../connection/client-socket.ts';
import { ConnectionRecovery, type RecoveryTarget } from '../connection/connection-recovery.ts';
import { parseFields, type VendorFields } from '../json.ts';
import { UnsettledAudio } from '../unsettled-audio.ts';
import type { AudioLimits, Recognizer, RecognizerHost } from './recognizer.ts';

/** Time limit for connecting, including the greeting of services that send one. */
const greetingTimeoutMs = 5_000;
/** Maximum of the audio without final words that is kept to be sent again on the next connection. */
const maxUnsettledMs = 5_000;
/** Maximum of bytes that the network has not accepted. */
const maxBufferedBytes = 1024 * 1024;

/** Credentials of a service, and the size of its audio messages. The recognizer returns the URL. */
interface RecognitionTarget extends RecoveryTarget {
  readonly headers: Record<string, string>;
  readonly audio: AudioLimits;
}

/**
 * Speech recognition of one phone call. A lost connection is replaced, and audio without final words is sent again on
 * the next one.
 */
export class RecognitionStream implements SttStream, RecognizerHost {
  readonly id: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly judgesTurns: boolean;
  readonly #target: RecognitionTarget;
  readonly #recognizer: Recognizer;
  readonly #events = new EventQueue<SttEvent>();
  readonly #recovery: ConnectionRecovery;
  readonly #audio: UnsettledAudio;
  readonly #signal: AbortSignal;
  readonly #abort = (): void => this.close();
  /** Audio that is too short for a message. */
  #rest: Uint8Array[] = [];
  #restBytes = 0;
  #socket: ClientSocket | undefined;
  #greeting: Timer | undefined;
  #isReady = false;
  #closed = false;

  constructor(
    target: RecognitionTarget,
    { clock, logger, signal, format }: SttStreamOptions,
    recognize: (host: RecognizerHost) => Recognizer,
  ) {
    this.id = target.id;
    this.clock = clock;
    this.logger = logger;
    this.#target = target;
    this.#audio = new UnsettledAudio(maxUnsettledMs * bytesPerMs(format));
    this.#signal = signal;
    this.#recovery = new ConnectionRecovery(target, { clock, logger });
    this.#recognizer = recognize(this);
    this.judgesTurns = this.#recognizer.judgesTurns;
    if (signal.aborted) this.close();
    else signal.addEventListener('abort', this.#abort, { once: true });
    this.#connect();
  }

  [Symbol.asyncIterator](): AsyncIterator<SttEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  send(message: Uint8Array | VendorFields | string): boolean {
    if (message instanceof Uint8Array) {
      this.#take(message);
      return true;
    }
    if (!this.#isReady) return false;
    this.#flush();
    this.#socket?.send(textOf(message));
    return true;
  }

  /** Does nothing: the service recognizes continuously. */
  speechStarted(): void {}

  finalize(): void {
    if (!this.#closed) this.#recognizer.finalize();
  }

  setHints(hints: readonly string[]): void {
    if (!this.#closed) this.#recognizer.setHints(hints);
  }

  close(): void {
    if (this.#closed) return;
    this.#end();
    this.#events.discard();
  }

  redact(text: string): string {
    return this.#recovery.redact(text);
  }

  emit(event: SttEvent): void {
    this.#events.push(event);
  }

  succeeded(): void {
    this.#recovery.succeeded();
  }

  settled(): void {
    this.#audio.clear();
  }

  #take(audio: Uint8Array): void {
    if (this.#closed) return;
    this.#rest.push(audio.slice());
    this.#restBytes += audio.length;
    if (this.#restBytes >= this.#target.audio.chunkBytes) this.#sendRest();
  }

  /** Sends the rest of the audio, filled up to the smallest message that the service takes. */
  #flush(): void {
    if (this.#restBytes === 0) return;
    const { chunkBytes, padding } = this.#target.audio;
    this.#rest.push(new Uint8Array(Math.max(0, chunkBytes - this.#restBytes)).fill(padding));
    this.#sendRest();
  }

  #sendRest(): void {
    const chunk = Buffer.concat(this.#rest);
    this.#rest = [];
    this.#restBytes = 0;
    this.#audio.add(chunk);
    if (!this.#isReady) return;
    if ((this.#socket?.bufferedBytes ?? 0) > maxBufferedBytes) {
      this.#lost({ fault: 'timeout', message: 'the connection accepts no more data' });
    } else this.#sendAudio(chunk);
  }

  #sendAudio(chunk: Uint8Array): void {
    const message = this.#recognizer.audio?.(chunk);
    this.#socket?.send(message === undefined ? chunk : JSON.stringify(message));
  }

  #connect(): void {
    if (this.#closed) return;
    this.#greeting = this.clock.setTimer(greetingTimeoutMs, () =>
      this.#lost({ fault: 'timeout', message: `the service sent no greeting within ${greetingTimeoutMs} ms` }),
    );
    this.#socket = new ClientSocket(this.#recognizer.url(), this.#target.headers, this.clock, {
      onOpen: () => this.#opened(),
      onText: (text) => this.#received(text),
      onLost: (loss) => this.#lost(loss),
    });
  }

  #opened(): void {
    const opening = this.#recognizer.openingMessage?.();
    if (opening !== undefined) this.#socket?.send(JSON.stringify(opening));
    if (this.#recognizer.isGreeting === undefined) this.#becomeReady();
  }

  #disconnect(): void {
    this.#isReady = false;
    this.#greeting?.cancel();
    this.#socket?.close();
    this.#socket = undefined;
  }

  #received(text: string): void {
    const message = parseFields(text);
    if (message === undefined) {
      this.#recovery.logUnreadable(text);
      return;
    }
    const fault = this.#recognizer.faultOf(message);
    if (fault !== undefined) this.#lost(fault);
    else if (this.#isReady) this.#recognizer.received(message);
    else if (this.#recognizer.isGreeting?.(message) === true) this.#becomeReady();
  }

  #becomeReady(): void {
    this.#greeting?.cancel();
    this.#isReady = true;
    for (const chunk of this.#audio.chunks) this.#sendAudio(chunk);
    this.#recognizer.opened();
  }

  #lost(loss: Pick<SocketLoss, 'fault' | 'message' | 'status'>): void {
    if (this.#closed) return;
    this.#disconnect();
    const error = this.#recovery.errorOf(loss);
    if (this.#recovery.reconnect(error, () => this.#connect())) return;
    this.#end();
    this.#events.fail(error);
  }

  #end(): void {
    const closing = this.#recognizer.closingMessage?.();
    if (this.#isReady && closing !== undefined) this.#socket?.send(textOf(closing));
    this.#closed = true;
    this.#signal.removeEventListener('abort', this.#abort);
    this.#recognizer.stop();
    this.#recovery.cancel();
    this.#disconnect();
  }
}

function textOf(message: VendorFields | string): string {
  return typeof message === 'string' ? message : JSON.stringify(message);
}
