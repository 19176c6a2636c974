import type { Socket } from 'node:net';
import { checkServerIdentity, TLSSocket } from 'node:tls';
import type { Clock, Timer } from '@va/core/adapter';
import type { Endpoint } from '@va/media';
import type { SipAddress } from './address.ts';
import type { Flow, TransportListener } from './flow.ts';
import { initialCapacity as freeBytes, StreamFramer } from './stream-framer.ts';

const ping = new Uint8Array([13, 10, 13, 10]);
const pong = new Uint8Array([13, 10]);
/** Maximum of unsent bytes; a peer that does not read is disconnected beyond it. */
const maxUnsentBytes = 1 << 20;
/** Connection timeout, short enough that another peer can be tried. */
const connectTimeoutMs = 5_000;
/** Time limit for the first complete message on an accepted connection. */
const firstMessageTimeoutMs = 30_000;
/** Time limit for completing a message that has begun, for any peer. */
const messageTimeoutMs = 10_000;
/** Idle timeout of a peer without a call or a certificate. */
const untrustedIdleMs = 60_000;
/** Time limit for the pong of a peer that has answered a ping before. @see RFC 5626 §4.4.1 */
const pongTimeoutMs = 10_000;

interface StreamConnectionOptions {
  readonly clock: Clock;
  readonly transport: 'tcp' | 'tls';
  /** Listening address of the local server, which differs from the source of this connection. */
  readonly bound: SipAddress;
  readonly remote: Endpoint;
  readonly advertised: () => Endpoint;
  /** Name that the peer's certificate was checked for. */
  readonly serverName?: string | undefined;
  /** True if the local side opened the connection; if so, it sends the keep-alives. */
  readonly opened: boolean;
  readonly keepAliveMs: number;
  /** Idle timeout of the connection. */
  readonly idleMs: number;
  readonly mayAlias: boolean;
  /** Accounts for memory of incomplete messages; may close connections, also this one. */
  readonly hold: (bytes: number) => void;
  readonly listener: TransportListener;
  readonly onAlias: (connection: StreamConnection, port: number) => void;
  readonly onClose: (connection: StreamConnection) => void;
}

/** One TCP or TLS connection. @see RFC 3261 §18, RFC 5626 §4.4.1, RFC 5923 */
export class StreamConnection implements Flow {
  readonly transport: 'tcp' | 'tls';
  readonly reliable = true;
  readonly bound: SipAddress;
  readonly remote: Endpoint;
  readonly mayAlias: boolean;
  readonly #options: StreamConnectionOptions;
  readonly #socket: Socket;
  readonly #framer = new StreamFramer();
  #timeout: Timer | null = null;
  #watch: Timer | null = null;
  #deadline: Timer | null = null;
  #countedBytes = 0;
  #isUntrusted: boolean;
  #lastMessageAtMs: number;
  #answersPings = false;
  #failure: Error | null = null;

  constructor(socket: Socket, options: StreamConnectionOptions) {
    const { clock, transport, bound, remote, opened } = options;
    this.transport = transport;
    this.bound = bound;
    this.remote = remote;
    this.mayAlias = options.mayAlias;
    this.#socket = socket;
    this.#options = options;
    this.#lastMessageAtMs = clock.nowMs();
    this.#isUntrusted = !opened && !(socket instanceof TLSSocket && socket.authorized);
    const [timeoutMs, why] = opened
      ? ([connectTimeoutMs, 'The connection was not established in time.'] as const)
      : ([firstMessageTimeoutMs, 'The peer sent no message.'] as const);
    this.#timeout = clock.setTimer(timeoutMs, () => this.#fail(why));
    if (opened) socket.once(transport === 'tls' ? 'secureConnect' : 'connect', () => this.#timeout?.cancel());
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('error', (error) => {
      this.#failure = error;
    });
    socket.on('close', () => this.#onClose());
    this.#keepWatch();
  }

  get open(): boolean {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  get advertised(): Endpoint {
    return this.#options.advertised();
  }

  send(bytes: Uint8Array): void {
    const socket = this.#socket;
    if (!socket.writable) {
      // The reason for closing may be known before anything is sent.
      const error = this.#failure ?? new Error('The connection is closed.');
      queueMicrotask(() => this.#options.listener.onFailure(this, error));
    } else if (socket.writableLength > maxUnsentBytes) this.#fail('The peer does not read.');
    else socket.write(bytes);
  }

  /** Returns true if a request to that name may use this connection; a request without a name may use any. */
  serves(name: string | undefined): boolean {
    if (name === undefined || name === this.#options.serverName || !(this.#socket instanceof TLSSocket)) return true;
    if (!this.#socket.authorized) return false;
    return checkServerIdentity(name, this.#socket.getPeerCertificate()) === undefined;
  }

  /**
   * Records that the peer, whose certificate was checked, accepts requests to its own address and port over this
   * connection.
   * @see RFC 5923 §5
   */
  alias(port: number): void {
    if (this.#socket instanceof TLSSocket && this.#socket.authorized && !this.#options.opened) {
      this.#options.onAlias(this, port);
    }
  }

  trust(): void {
    this.#isUntrusted = false;
  }

  /** True for a peer with a call, with a valid certificate, or that the local side has connected to. */
  get isKnown(): boolean {
    return !this.#isUntrusted;
  }

  /** Memory of its incomplete message beyond the initial buffer. */
  get heldBytes(): number {
    return this.#countedBytes;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Disconnects because incomplete messages hold too much memory; its own is released at once. */
  evict(): void {
    this.#releaseMemory();
    this.#fail('Incomplete messages hold too much memory.');
  }

  #fail(why: string): void {
    this.#socket.destroy(new Error(why));
  }

  #releaseMemory(): void {
    const bytes = this.#countedBytes;
    this.#countedBytes = 0;
    this.#options.hold(-bytes);
  }

  #receive(chunk: Uint8Array): void {
    const items = this.#framer.push(chunk);
    this.#limit(items.some(({ kind }) => kind === 'message'));
    for (const item of items) {
      if (item.kind === 'ping') this.send(pong);
      else if (item.kind === 'pong') {
        this.#answersPings = true;
        this.#timeout?.cancel();
      } else {
        this.#lastMessageAtMs = this.#options.clock.nowMs();
        if (!this.#options.opened) this.#timeout?.cancel();
        this.#options.listener.onBytes(item.bytes, this);
      }
      // The start of the next message cannot be found any more; the response to this one is sent first.
      if (item.kind === 'fault') this.#socket.end();
    }
  }

  /** Limits time and memory of an incomplete message. */
  #limit(isOneWhole: boolean): void {
    const countedBytes = Math.max(0, this.#framer.capacity - freeBytes);
    if (countedBytes !== this.#countedBytes) {
      const change = countedBytes - this.#countedBytes;
      this.#countedBytes = countedBytes;
      this.#options.hold(change);
      if (this.#socket.destroyed) return;
    }
    if (isOneWhole || this.#framer.pendingBytes === 0) {
      this.#deadline?.cancel();
      this.#deadline = null;
    }
    if (this.#framer.pendingBytes === 0 || this.#deadline !== null) return;
    const why = 'A message was not completed in time.';
    this.#deadline = this.#options.clock.setTimer(messageTimeoutMs, () => this.#fail(why));
  }

  #keepWatch(): void {
    const { clock, opened } = this.#options;
    const { keepAliveMs, idleMs } = this.#options;
    this.#watch = clock.setTimer(this.#isUntrusted ? Math.min(keepAliveMs, untrustedIdleMs) : keepAliveMs, () => {
      const idleLimitMs = this.#isUntrusted ? Math.min(idleMs, untrustedIdleMs) : idleMs;
      if (clock.nowMs() - this.#lastMessageAtMs >= idleLimitMs) this.#closeIdle();
      else if (opened && this.open) this.#ping();
      this.#keepWatch();
    });
  }

  /**
   * Closes gracefully. The connection of an untrusted peer, which may not close its side, is destroyed once pending
   * data is sent.
   */
  #closeIdle(): void {
    this.#socket.end();
    if (this.#isUntrusted) this.#socket.destroySoon();
  }

  #ping(): void {
    this.send(ping);
    this.#framer.expectPong();
    // Not every peer answers pings; silence is a fault only for those that did.
    if (!this.#answersPings) return;
    this.#timeout?.cancel();
    const why = 'The peer no longer answers pings.';
    this.#timeout = this.#options.clock.setTimer(pongTimeoutMs, () => this.#fail(why));
  }

  #onClose(): void {
    this.#timeout?.cancel();
    this.#watch?.cancel();
    this.#deadline?.cancel();
    this.#releaseMemory();
    this.#options.onClose(this);
    this.#options.listener.onFailure(this, this.#failure ?? new Error('The peer closed the connection.'));
  }
}
