import type { DeepgramTransport, DeepgramTransportMessage } from '@deepgram/sdk';
import type { Clock } from '@va/core/adapter';
import { ClientSocket, type SocketLoss } from '../shared/connection/client-socket.ts';
import { parseFields } from '../shared/json.ts';

interface TransportEvents {
  onOpen(): void;
  onLost(loss: SocketLoss): void;
  onUnreadable(text: string): void;
}

/**
 * Transport of the SDK on a `ClientSocket`. The SDK's own transport would parse any input and retry by itself; this one
 * passes on only JSON objects, reports why a connection was lost, and leaves reconnecting to `ResilientConnection`.
 */
export class DeepgramTransportSocket implements DeepgramTransport {
  readonly #socket: ClientSocket;
  #opened = (): void => undefined;
  #received = (_message: DeepgramTransportMessage): void => undefined;
  #closed = (_event: { code?: number; reason?: string }): void => undefined;

  constructor(url: string, headers: Record<string, string>, clock: Clock, events: TransportEvents) {
    this.#socket = new ClientSocket(url, headers, clock, {
      onOpen: () => {
        this.#opened();
        events.onOpen();
      },
      onText: (text) => {
        if (parseFields(text) === undefined) events.onUnreadable(text);
        else this.#received(text);
      },
      onLost: (loss) => {
        this.#closed({ code: 1000, reason: loss.message });
        events.onLost(loss);
      },
    });
  }

  send(data: DeepgramTransportMessage): void {
    if (typeof data === 'string' || data instanceof Uint8Array) this.#socket.send(data);
  }

  onOpen(listener: () => void): void {
    this.#opened = listener;
  }

  onMessage(listener: (message: DeepgramTransportMessage) => void): void {
    this.#received = listener;
  }

  /**
   * Ignores the listener. A loss is reported as a close, because the SDK replaces an error by one without its cause.
   */
  onError(): void {}

  onClose(listener: (event: { code?: number; reason?: string }) => void): void {
    this.#closed = listener;
  }

  isOpen(): boolean {
    return this.#socket.isOpen;
  }

  close(): void {
    this.#socket.close();
  }
}
