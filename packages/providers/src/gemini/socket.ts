import type { Clock, Timer } from '@va/core/adapter';
import { ClientSocket, type SocketLoss } from '../shared/connection/client-socket.ts';
import type { VendorFields } from '../shared/json.ts';
import { readMessage, type ServerMessage } from './message.ts';

/** Time limit for the service to accept the setup. */
const acceptTimeoutMs = 5_000;
/** Maximum of unsent bytes: about 25 seconds of the caller's audio. */
const maxBufferedBytes = 1024 * 1024;

/** Listener of a connection. */
interface GeminiSocketEvents {
  onReady(): void;
  onMessage(message: ServerMessage): void;
  onUnreadable(text: string): void;
  /** Called at most once, and not after `close()`. */
  onLost(loss: SocketLoss): void;
}

/** A WebSocket to the service, on which the first message is the setup. */
export class GeminiSocket {
  readonly #socket: ClientSocket;
  readonly #events: GeminiSocketEvents;
  readonly #acceptance: Timer;
  #ready = false;
  #ended = false;

  constructor(url: string, clock: Clock, setup: VendorFields, events: GeminiSocketEvents) {
    this.#events = events;
    this.#acceptance = clock.setTimer(acceptTimeoutMs, () =>
      this.lose({ fault: 'timeout', message: `the setup was not accepted within ${acceptTimeoutMs} ms` }),
    );
    this.#socket = new ClientSocket(url, {}, clock, {
      onOpen: () => this.#socket.send(JSON.stringify(setup)),
      onText: (text) => this.#received(text),
      // The service sends its JSON in binary frames.
      onBinary: (bytes) => this.#received(Buffer.from(bytes).toString('utf8')),
      onLost: (loss) => this.lose(loss),
    });
  }

  get isReady(): boolean {
    return this.#ready;
  }

  send(message: VendorFields): void {
    if (!this.#ready) return;
    if (this.#socket.bufferedBytes > maxBufferedBytes) {
      this.lose({ fault: 'timeout', message: 'the connection accepts no more data' });
      return;
    }
    this.#socket.send(JSON.stringify(message));
  }

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
    const message = readMessage(text);
    if (message === undefined) {
      this.#events.onUnreadable(text);
      return;
    }
    if (message.isReady && !this.#ready) {
      this.#ready = true;
      this.#acceptance.cancel();
      this.#events.onReady();
    }
    if (this.#ready && !this.#ended) this.#events.onMessage(message);
  }
}
