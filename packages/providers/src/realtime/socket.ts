import type { Clock, Timer } from '@va/core/adapter';
import { ClientSocket, type SocketLoss } from '../shared/connection/client-socket.ts';
import type { VendorFields } from '../shared/json.ts';
import { readServerEvent, type ServerEvent } from './server-event.ts';

/** Time limit for the provider to accept the session. */
const acceptTimeoutMs = 5_000;
/** Maximum of unsent bytes: about a minute of the caller's audio. */
const maxBufferedBytes = 1024 * 1024;

/** Event of a session, except its acceptance. */
export type SessionEvent = Exclude<ServerEvent, { type: 'ready' }>;

/** Address and headers of a connection. */
export interface RealtimeSocketTarget {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly clock: Clock;
}

/** Listener of a connection. */
interface RealtimeSocketEvents {
  /** Called when the provider has accepted the `session.update`; nothing else may be sent before. */
  onReady(): void;
  onEvent(event: SessionEvent): void;
  onUnreadable(text: string): void;
  /** Called at most once, and not after `close()`. */
  onLost(loss: SocketLoss): void;
}

/** A WebSocket to the provider, on which the first message is a `session.update`. */
export class RealtimeSocket {
  readonly #socket: ClientSocket;
  readonly #events: RealtimeSocketEvents;
  readonly #acceptance: Timer;
  #ready = false;
  #ended = false;

  constructor({ url, headers, clock }: RealtimeSocketTarget, session: VendorFields, events: RealtimeSocketEvents) {
    this.#events = events;
    this.#acceptance = clock.setTimer(acceptTimeoutMs, () =>
      this.lose({ fault: 'timeout', message: `the session was not accepted within ${acceptTimeoutMs} ms` }),
    );
    this.#socket = new ClientSocket(url, headers, clock, {
      onOpen: () => this.#socket.send(JSON.stringify({ type: 'session.update', session })),
      onText: (text) => this.#received(text),
      onLost: (loss) => this.lose(loss),
    });
  }

  get isReady(): boolean {
    return this.#ready;
  }

  send(event: VendorFields): void {
    if (this.#socket.bufferedBytes > maxBufferedBytes) {
      this.lose({ fault: 'timeout', message: 'the connection accepts no more data' });
      return;
    }
    this.#socket.send(JSON.stringify(event));
  }

  /** Closes the connection, and reports it as lost. */
  lose(loss: SocketLoss): void {
    if (this.#ended) return;
    this.close();
    this.#events.onLost(loss);
  }

  close(): void {
    this.#ended = true;
    this.#ready = false;
    this.#acceptance.cancel();
    this.#socket.close();
  }

  #received(text: string): void {
    if (this.#ended) return;
    const event = readServerEvent(text);
    if (event === 'other') return;
    if (event === 'unreadable') this.#events.onUnreadable(text);
    else if (event.type !== 'ready') this.#events.onEvent(event);
    else if (!this.#ready) {
      this.#ready = true;
      this.#acceptance.cancel();
      this.#events.onReady();
    }
  }
}
