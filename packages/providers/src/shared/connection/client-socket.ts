import type { Clock, ProviderFault, Timer } from '@va/core/adapter';
import { type RawData, WebSocket } from 'ws';
import { errorText } from '../faults/error-text.ts';
import { faultOfStatus } from '../faults/http-fault.ts';
import { hostLookup } from './network.ts';

const connectTimeoutMs = 5_000;
/** Time limit for the server to answer a close frame before the connection is terminated. */
const closeTimeoutMs = 500;
/** Interval of the pings that detect a half-open connection. */
const heartbeatMs = 4_000;
/** Number of consecutive heartbeats without any message or pong after which the connection counts as lost. */
const maxMissedHeartbeats = 3;
/** Maximum size of a message. A larger one closes the connection. */
const maxMessageBytes = 16 * 1024 * 1024;

/** Reason for which a connection could not be established, or was lost. */
export interface SocketLoss {
  readonly fault: ProviderFault;
  readonly message: string;
  /** HTTP status of a rejected upgrade. */
  readonly status?: number;
  /** WebSocket close code. */
  readonly closeCode?: number;
}

/** Listener of a connection. */
interface SocketEvents {
  onOpen(): void;
  onText(text: string): void;
  /** Called with each binary frame. Default: binary frames are ignored. */
  onBinary?(bytes: Uint8Array): void;
  /** Called at most once, and not after `close()`. */
  onLost(loss: SocketLoss): void;
}

function bytesOf(data: RawData): Buffer {
  return Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data;
}

/** A WebSocket to a provider. Connection errors are reported to `onLost`; no listener is called after `close()`. */
export class ClientSocket {
  readonly #socket: WebSocket;
  readonly #events: SocketEvents;
  readonly #clock: Clock;
  #timer: Timer;
  #heartbeat: Timer | undefined;
  /** Heartbeats since the last message or pong of the server. */
  #missedHeartbeats = 0;
  #ended = false;

  constructor(url: string, headers: Record<string, string>, clock: Clock, events: SocketEvents) {
    this.#events = events;
    this.#clock = clock;
    const limits = { perMessageDeflate: false, maxPayload: maxMessageBytes };
    this.#socket = new WebSocket(url, { headers, lookup: hostLookup, ...limits });
    this.#timer = clock.setTimer(connectTimeoutMs, () =>
      this.#lose({ fault: 'timeout', message: `not connected within ${connectTimeoutMs} ms` }),
    );
    this.#listen();
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Bytes that the network has not accepted yet. */
  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  send(data: string | Uint8Array): void {
    if (this.isOpen) this.#socket.send(data);
  }

  close(): void {
    this.#ended = true;
    this.#timer.cancel();
    this.#heartbeat?.cancel();
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    this.#timer = this.#clock.setTimer(closeTimeoutMs, () => this.#socket.terminate());
    if (this.isOpen) this.#socket.close(1000);
    else this.#socket.terminate();
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on('open', () => {
      if (this.#ended) return;
      this.#timer.cancel();
      this.#beat();
      this.#events.onOpen();
    });
    socket.on('pong', () => {
      this.#missedHeartbeats = 0;
    });
    socket.on('message', (data, isBinary) => {
      this.#missedHeartbeats = 0;
      if (this.#ended) return;
      if (isBinary) this.#events.onBinary?.(bytesOf(data));
      else this.#events.onText(bytesOf(data).toString('utf8'));
    });
    socket.on('unexpected-response', (request, response) => {
      const status = response.statusCode ?? 0;
      request.destroy();
      this.#lose({ fault: faultOfStatus(status), message: `the connection was refused with HTTP ${status}`, status });
    });
    socket.on('error', (error) => this.#lose({ fault: 'connection', message: errorText(error) }));
    socket.on('close', (closeCode, reason) => {
      const why = reason.length > 0 ? ` (${reason.toString('utf8')})` : '';
      this.#lose({ fault: 'connection', message: `the connection was closed with code ${closeCode}${why}`, closeCode });
      this.#timer.cancel();
    });
  }

  /** Pings the server at intervals, and terminates the connection when nothing was received for several of them. */
  #beat(): void {
    this.#heartbeat = this.#clock.setTimer(heartbeatMs, () => {
      if (this.#missedHeartbeats >= maxMissedHeartbeats) {
        const silentMs = heartbeatMs * (maxMissedHeartbeats + 1);
        this.#lose({ fault: 'timeout', message: `the server has not responded for ${silentMs} ms` });
        return;
      }
      this.#missedHeartbeats += 1;
      this.#socket.ping();
      this.#beat();
    });
  }

  #lose(loss: SocketLoss): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#timer.cancel();
    this.#heartbeat?.cancel();
    this.#socket.terminate();
    this.#events.onLost(loss);
  }
}
