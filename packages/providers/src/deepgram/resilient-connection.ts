import { type AudioFormat, type Clock, type Logger, ProviderError, type Timer, toError } from '@va/core/adapter';
import { bytesPerMs } from '../shared/bytes-per-ms.ts';
import type { SocketLoss } from '../shared/connection/client-socket.ts';
import { ConnectionRecovery, type RecoveryTarget } from '../shared/connection/connection-recovery.ts';
import { causeWithoutKey } from '../shared/faults/without-key.ts';
import { UnsettledAudio } from '../shared/unsettled-audio.ts';
import type { DeepgramConnectionEvents, ListenConnection } from './connection.ts';

/** The server disconnects after 10 s without audio or KeepAlive. */
const keepAliveMs = 4_000;
/** Maximum of the audio without final words that is kept to be sent again on the next connection. */
const maxUnsettledMs = 5_000;

/** Opens the connections, and receives their events. */
export interface ResilientConnectionHost extends RecoveryTarget {
  readonly clock: Clock;
  readonly logger: Logger;
  open(events: DeepgramConnectionEvents): Promise<ListenConnection>;
  /** Called when a connection is open and the audio without final words has been sent on it. */
  opened(connection: ListenConnection): void;
  received(message: unknown): void;
  /** Called when no reconnect will be attempted. Any open connection has been closed. */
  failed(error: ProviderError): void;
}

/** Connects to the service, again after a loss. Sends the audio without final words on each new connection. */
export class ResilientConnection {
  readonly #host: ResilientConnectionHost;
  readonly #recovery: ConnectionRecovery;
  readonly #audio: UnsettledAudio;
  #connection: ListenConnection | undefined;
  #open = false;
  #closed = false;
  #keepAlive: Timer | undefined;

  constructor(host: ResilientConnectionHost, format: AudioFormat) {
    this.#host = host;
    this.#audio = new UnsettledAudio(maxUnsettledMs * bytesPerMs(format));
    this.#recovery = new ConnectionRecovery(host, host);
  }

  connect(): void {
    if (this.#closed) return;
    let lost = false;
    const connecting = this.#host.open({
      onOpen: () => {
        // The event may precede the promise; a rejected promise is handled below.
        connecting.then(
          (connection) => this.#opened(connection),
          () => undefined,
        );
      },
      onMessage: (message) => {
        if (!this.#closed) this.#host.received(message);
      },
      onLost: (loss) => {
        lost = true;
        this.#lost(loss);
      },
      onUnreadable: (text) => this.#recovery.logUnreadable(text),
    });
    connecting.then(
      (connection) => {
        if (this.#closed || lost) connection.close();
        else this.#connection = connection;
      },
      (thrown) => this.#refused(toError(thrown)),
    );
  }

  /** The connection, if it is ready for messages. */
  get current(): ListenConnection | undefined {
    return this.#open ? this.#connection : undefined;
  }

  send(audio: Uint8Array): void {
    if (this.#closed) return;
    this.#audio.add(audio);
    if (!this.#open) return;
    this.#connection?.sendAudio(audio);
    this.#armKeepAlive();
  }

  /** Resets the count of connection attempts after the service has worked. */
  succeeded(): void {
    this.#recovery.succeeded();
  }

  /** Drops the audio kept for the next connection, because all audio sent so far has its final words. */
  settled(): void {
    this.#audio.clear();
  }

  close(): void {
    this.#closed = true;
    this.#open = false;
    this.#keepAlive?.cancel();
    this.#recovery.cancel();
    this.#connection?.close();
    this.#connection = undefined;
  }

  #opened(connection: ListenConnection): void {
    if (this.#closed) return;
    this.#connection = connection;
    this.#open = true;
    for (const chunk of this.#audio.chunks) connection.sendAudio(chunk);
    this.#host.opened(connection);
    this.#armKeepAlive();
  }

  #lost(loss: SocketLoss): void {
    if (this.#closed) return;
    this.#open = false;
    this.#connection?.close();
    this.#connection = undefined;
    this.#keepAlive?.cancel();
    const error = this.#recovery.errorOf(loss);
    if (!this.#recovery.reconnect(error, () => this.connect())) this.#fail(error);
  }

  /** Fails without another attempt, because the SDK has rejected the parameters of the connection. */
  #refused(thrown: Error): void {
    const { id, apiKey } = this.#host;
    const cause = causeWithoutKey(thrown, apiKey);
    this.#fail(new ProviderError(id, 'invalid_request', this.#recovery.redact(thrown.message), { cause }));
  }

  #fail(error: ProviderError): void {
    if (this.#closed) return;
    this.close();
    this.#host.failed(error);
  }

  #armKeepAlive(): void {
    this.#keepAlive?.cancel();
    this.#keepAlive = this.#host.clock.setTimer(keepAliveMs, () => {
      this.#connection?.keepAlive();
      this.#armKeepAlive();
    });
  }
}
