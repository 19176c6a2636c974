import { type DownMessage, frameBytes, headerBytes, protocolVersion, type UpMessage } from '../protocol/messages.ts';
import { WebCallError } from './errors.ts';

export interface ConnectionOptions {
  readonly url: string;
  readonly token: string;
  readonly offersWebRtc: boolean;
  /** The encodings that the page supports. */
  readonly audio: readonly string[];
}

export interface ServiceConnectionListener {
  onMessage(message: DownMessage): void;
  onAudio(sequence: number, frame: Uint8Array): void;
  /** The connection was lost. It reconnects, after which `onResumed` or `onFailed` is called. */
  onLost(): void;
  onResumed(): void;
  /** The call failed without an `ended` message. */
  onFailed(error: WebCallError): void;
}

/** Time without data after which a connection counts as lost: the service sends 50 frames per second. */
const silentAfterMs = 3_000;
const watchEveryMs = 500;
/** Time between two checks beyond which the page was blocked or suspended between them. */
const blockedAfterMs = 2_000;
const retryEveryMs = 500;
/** Timeout of the first connection attempt, which is not repeated. */
const firstAttemptMs = 10_000;
/** Timeout of one attempt to reconnect. */
const attemptMs = 4_000;

type Ready = Extract<DownMessage, { type: 'ready' }>;

/** The WebSocket connection of a call. Reconnects and resumes the call after a loss. */
export class ServiceConnection {
  readonly #url: string;
  readonly #token: string;
  readonly #offersWebRtc: boolean;
  readonly #audio: readonly string[];
  readonly #listener: ServiceConnectionListener;
  #socket: WebSocket | null = null;
  #ready: Ready | null = null;
  #isClosed = false;
  #receivedAtMs = 0;
  /** Null while connected. */
  #lostAtMs: number | null = null;
  #received = 0;
  #sent = 0;
  #watchedAtMs = 0;
  #wasBlocked = false;
  #watching: ReturnType<typeof setInterval> | undefined;
  #retrying: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ConnectionOptions, listener: ServiceConnectionListener) {
    this.#url = options.url;
    this.#token = options.token;
    this.#offersWebRtc = options.offersWebRtc;
    this.#audio = options.audio;
    this.#listener = listener;
  }

  open(): void {
    const hello = { type: 'hello', version: protocolVersion, token: this.#token, audio: this.#audio } as const;
    this.#connect(this.#url, this.#offersWebRtc ? { ...hello, webrtc: true } : hello, firstAttemptMs);
    this.#watchedAtMs = performance.now();
    this.#watching = setInterval(() => this.#watch(), watchEveryMs);
  }

  send(message: UpMessage): void {
    if (this.#ready !== null && this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify(message));
    }
  }

  /** Sends 20 ms of audio. Drops it while disconnected. */
  sendAudio(frame: Uint8Array): void {
    const sequence = this.#sent;
    this.#sent += 1;
    if (this.#ready === null || this.#socket?.readyState !== WebSocket.OPEN) return;
    // The recorder switches its encoding a little later than this connection.
    if (frame.length !== frameBytes[this.#ready.audio.encoding]) return;
    const message = new Uint8Array(headerBytes + frame.length);
    new DataView(message.buffer).setUint32(0, sequence);
    message.set(frame, headerBytes);
    this.#socket.send(message);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#watching);
    clearTimeout(this.#retrying);
    this.#drop(1000);
  }

  #connect(url: string, first: UpMessage, timeoutMs: number): void {
    const socket = new WebSocket(url);
    this.#socket = socket;
    this.#receivedAtMs = performance.now() + timeoutMs - silentAfterMs;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => socket.send(JSON.stringify(first));
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => this.#receive(data);
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
  }

  #receive(data: string | ArrayBuffer): void {
    this.#receivedAtMs = performance.now();
    if (typeof data !== 'string') {
      if (data.byteLength <= headerBytes) return;
      const sequence = new DataView(data).getUint32(0);
      this.#received = sequence + 1;
      this.#listener.onAudio(sequence, new Uint8Array(data, headerBytes));
      return;
    }
    const message = JSON.parse(data) as DownMessage;
    if (message.type === 'error') {
      const code = message.code === 'token_refused' ? 'token-refused' : 'protocol';
      this.#fail(new WebCallError(message.code === 'resume_refused' ? 'connection-lost' : code, message.message));
      return;
    }
    if (message.type === 'ready') {
      const isResumed = this.#ready !== null;
      this.#ready = message;
      this.#lostAtMs = null;
      if (isResumed) this.#listener.onResumed();
    }
    this.#listener.onMessage(message);
  }

  #watch(): void {
    const nowMs = performance.now();
    // Messages that arrived while the page was blocked are read before the next check.
    this.#wasBlocked = nowMs - this.#watchedAtMs > blockedAfterMs && !this.#wasBlocked;
    this.#watchedAtMs = nowMs;
    if (this.#wasBlocked) return;
    if (this.#socket !== null && nowMs - this.#receivedAtMs > silentAfterMs) this.#lost();
  }

  #lost(): void {
    if (this.#isClosed) return;
    this.#drop();
    const ready = this.#ready;
    if (ready === null) {
      this.#fail(new WebCallError('connection-failed', 'The service could not be reached.'));
      return;
    }
    const nowMs = performance.now();
    if (this.#lostAtMs === null) {
      this.#lostAtMs = nowMs;
      this.#listener.onLost();
    }
    if (nowMs - this.#lostAtMs > ready.resume_within_ms) {
      this.#fail(new WebCallError('connection-lost', 'The connection was lost.'));
      return;
    }
    const { resume_secret: secret, resume_url: url } = ready;
    this.#retrying = setTimeout(() => {
      const resume = { type: 'resume', version: protocolVersion, secret, received: this.#received } as const;
      this.#connect(url ?? this.#url, resume, attemptMs);
    }, retryEveryMs);
  }

  #drop(code?: number): void {
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null) return;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close(code);
  }

  #fail(error: WebCallError): void {
    if (this.#isClosed) return;
    this.close();
    this.#listener.onFailed(error);
  }
}
