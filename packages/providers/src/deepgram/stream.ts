import {
  EventQueue,
  ProviderError,
  type SttEvent,
  type SttStream,
  type SttStreamOptions,
  type Timer,
  toError,
} from '@va/core';
import type { SocketLoss } from '../shared/client-socket.ts';
import { Reconnection } from '../shared/reconnection.ts';
import { UnsettledAudio } from '../shared/unsettled-audio.ts';
import { type ConnectionTarget, connect, type DeepgramConnection } from './connection.ts';
import { readResults } from './results.ts';

/** The server hangs up after 10 s without audio or KeepAlive. */
const keepAliveMs = 4_000;
/** How long the answer to a Finalize may take; without one the last partial is taken for final. */
const finalizeTimeoutMs = 1_000;
/** What is sent again after a loss: about five seconds of telephone audio. */
const mostUnsettledBytes = 40_000;

/** One call's live transcription, over as many connections as it takes. */
export class DeepgramStream implements SttStream {
  readonly #events = new EventQueue<SttEvent>();
  readonly #target: ConnectionTarget;
  readonly #logger: SttStreamOptions['logger'];
  readonly #signal: AbortSignal;
  readonly #reconnection: Reconnection;
  readonly #audio = new UnsettledAudio(mostUnsettledBytes);
  readonly #abort = (): void => this.close();
  #connection: DeepgramConnection | undefined;
  #open = false;
  #closed = false;
  #partial = '';
  /** Calls of `finalize` without their `finalized` yet. */
  #awaited = 0;
  #patience: Timer | undefined;
  #keepAlive: Timer | undefined;

  constructor(target: ConnectionTarget, { logger, signal }: SttStreamOptions) {
    this.#target = target;
    this.#logger = logger;
    this.#signal = signal;
    this.#reconnection = new Reconnection(target.clock);
    if (signal.aborted) this.close();
    else signal.addEventListener('abort', this.#abort, { once: true });
    this.#connect();
  }

  [Symbol.asyncIterator](): AsyncIterator<SttEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  send(audio: Uint8Array): void {
    if (this.#closed) return;
    this.#audio.add(audio);
    if (!this.#open) return;
    this.#connection?.sendAudio(audio);
    this.#armKeepAlive();
  }

  speechStarted(): void {}

  finalize(): void {
    if (this.#closed) return;
    this.#awaited++;
    this.#patience?.cancel();
    this.#patience = this.#target.clock.setTimer(finalizeTimeoutMs, () => this.#settle(this.#partial, this.#awaited));
    if (this.#open) this.#connection?.sendControl('Finalize');
  }

  close(): void {
    if (this.#closed) return;
    this.#end();
    this.#events.discard();
  }

  #end(): void {
    this.#closed = true;
    this.#open = false;
    this.#signal.removeEventListener('abort', this.#abort);
    this.#patience?.cancel();
    this.#keepAlive?.cancel();
    this.#reconnection.cancel();
    this.#connection?.close();
    this.#connection = undefined;
  }

  #connect(): void {
    if (this.#closed) return;
    let lost = false;
    const connecting = connect(this.#target, {
      onOpen: () => {
        // The event may come before the promise; a promise that fails is seen to below.
        connecting.then(
          (connection) => this.#opened(connection),
          () => undefined,
        );
      },
      onMessage: (message) => this.#received(message),
      onLost: (loss) => {
        lost = true;
        this.#lost(loss);
      },
      onGarbage: (text) =>
        this.#logger.warn({ text: text.slice(0, 200) }, 'Deepgram sent something that is no message'),
    });
    connecting.then(
      (connection) => {
        if (this.#closed || lost) connection.close();
        else this.#connection = connection;
      },
      (thrown) =>
        this.#fail(new ProviderError('deepgram', 'invalid_request', toError(thrown).message, { cause: thrown })),
    );
  }

  #opened(connection: DeepgramConnection): void {
    if (this.#closed) return;
    this.#connection = connection;
    this.#open = true;
    for (const chunk of this.#audio.chunks) connection.sendAudio(chunk);
    if (this.#awaited > 0) connection.sendControl('Finalize');
    this.#armKeepAlive();
  }

  #received(message: unknown): void {
    const results = readResults(message);
    if (results === undefined || this.#closed) return;
    this.#reconnection.succeeded();
    const { transcript, isFinal, fromFinalize } = results;
    if (!isFinal) {
      if (transcript === '' || transcript === this.#partial) return;
      this.#partial = transcript;
      this.#events.push({ type: 'partial', text: transcript });
      return;
    }
    if (fromFinalize && this.#awaited > 0) this.#settle(transcript, 1);
    else this.#final(transcript);
  }

  #final(text: string): void {
    this.#partial = '';
    this.#audio.clear();
    if (text !== '') this.#events.push({ type: 'final', text });
  }

  /** The pipeline counts: each `finalize` gets its own answer. */
  #settle(text: string, answers: number): void {
    this.#final(text);
    for (let answer = 0; answer < answers; answer++) this.#events.push({ type: 'finalized' });
    this.#awaited -= answers;
    if (this.#awaited === 0) this.#patience?.cancel();
  }

  #lost(loss: SocketLoss): void {
    if (this.#closed) return;
    this.#open = false;
    this.#connection?.close();
    this.#connection = undefined;
    this.#keepAlive?.cancel();
    const error = new ProviderError('deepgram', loss.fault, loss.message, { status: loss.status });
    if (!error.retryable || !this.#reconnection.schedule(() => this.#connect())) {
      this.#fail(error);
      return;
    }
    this.#logger.warn({ err: error }, 'Deepgram was lost; connecting again');
  }

  #fail(error: ProviderError): void {
    if (this.#closed) return;
    this.#end();
    this.#events.fail(error);
  }

  #armKeepAlive(): void {
    this.#keepAlive?.cancel();
    this.#keepAlive = this.#target.clock.setTimer(keepAliveMs, () => {
      this.#connection?.sendControl('KeepAlive');
      this.#armKeepAlive();
    });
  }
}
