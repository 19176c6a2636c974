import type { Clock, Logger, ProviderError, Timer } from '@va/core/adapter';
import type { SocketLoss } from '../shared/connection/client-socket.ts';
import { ConnectionRecovery, type RecoveryTarget } from '../shared/connection/connection-recovery.ts';
import type { VendorFields } from '../shared/json.ts';
import { faultOf } from './fault.ts';
import type { ServerMessage } from './message.ts';
import { GeminiSocket } from './socket.ts';

/** Time before the announced end of a connection at which it is renewed, if there was no pause for it before. */
const renewalLeadMs = 1_000;

/** Service to connect to. */
export interface ResumableConnectionTarget extends RecoveryTarget {
  /** URL with the API key. */
  readonly url: string;
}

/** Provides the setup of each connection, and receives the events. */
interface ResumableConnectionHost {
  /** Returns the setup of the next connection. It resumes the session of the handle, or begins one without a handle. */
  setupFor(handle: string | undefined): VendorFields;
  onReady(): void;
  onMessage(message: ServerMessage): void;
  /** Called when the connection has ended. Another one follows unless `onFailed` is called. */
  onDisconnected(message: string): void;
  onFailed(error: ProviderError): void;
}

/** The connections of a session, one after the other: each resumes the session of the last one if possible. */
export class ResumableConnection {
  readonly #target: ResumableConnectionTarget;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #host: ResumableConnectionHost;
  readonly #recovery: ConnectionRecovery;
  #connection: GeminiSocket | undefined;
  #handle: string | undefined;
  #isResumed = false;
  #isRenewalDue = false;
  #renewal: Timer | undefined;
  #closed = false;

  constructor(
    target: ResumableConnectionTarget,
    { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
    host: ResumableConnectionHost,
  ) {
    this.#target = target;
    this.#clock = clock;
    this.#logger = logger;
    this.#host = host;
    this.#recovery = new ConnectionRecovery(target, { clock, logger });
  }

  get isReady(): boolean {
    return this.#connection?.isReady === true;
  }

  open(): void {
    if (this.#closed) return;
    this.#isResumed = this.#handle !== undefined;
    this.#connection = new GeminiSocket(this.#target.url, this.#clock, this.#host.setupFor(this.#handle), {
      onReady: () => this.#host.onReady(),
      onMessage: (message) => this.#received(message),
      onUnreadable: (text) => this.#recovery.logUnreadable(text),
      onLost: (loss) => this.#lost(loss),
    });
  }

  send(message: VendorFields): void {
    this.#connection?.send(message);
  }

  /** Gives up the connection as if the network had failed. */
  lose(loss: SocketLoss): void {
    this.#connection?.lose(loss);
  }

  /** Resets the count of connection attempts after the service has worked. */
  succeeded(): void {
    this.#recovery.succeeded();
  }

  /** Requests another connection at the next pause. */
  requestRenewal(): void {
    this.#isRenewalDue = true;
  }

  /** Renews the connection if that is due. Called when nothing is in progress. */
  pause(): void {
    if (this.#isRenewalDue && this.isReady) this.#renew();
  }

  close(): void {
    this.#closed = true;
    this.#recovery.cancel();
    this.#forget();
  }

  #received(message: ServerMessage): void {
    if (message.handle !== undefined) this.#handle = message.handle === '' ? undefined : message.handle;
    if (message.goAwayMs !== undefined) this.#leave(message.goAwayMs);
    this.#host.onMessage(message);
  }

  /** Schedules a renewal, because the service has announced the end of the connection. */
  #leave(inMs: number): void {
    this.#isRenewalDue = true;
    this.#renewal?.cancel();
    this.#renewal = this.#clock.setTimer(Math.max(0, inMs - renewalLeadMs), () => this.#renew());
  }

  #renew(): void {
    this.#logger.debug({ provider: this.#target.id }, 'renewing the session');
    this.#disconnect('the connection is renewed');
    this.open();
  }

  #lost(loss: SocketLoss): void {
    const wasReady = this.isReady;
    const error = this.#recovery.errorOf({ ...loss, fault: faultOf(loss) });
    this.#disconnect(error.message);
    // An expired handle is refused: the next session is sent the conversation instead.
    const isHandleRefused = !wasReady && this.#isResumed && error.fault === 'invalid_request';
    if (isHandleRefused) this.#handle = undefined;
    const isRetryable = error.retryable || isHandleRefused;
    const isScheduled = this.#recovery.reconnect(error, () => this.open(), isRetryable);
    if (!isScheduled && !this.#closed) this.#host.onFailed(error);
  }

  #disconnect(message: string): void {
    this.#forget();
    this.#host.onDisconnected(message);
  }

  #forget(): void {
    this.#connection?.close();
    this.#connection = undefined;
    this.#isRenewalDue = false;
    this.#renewal?.cancel();
  }
}
