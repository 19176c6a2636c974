import type { Duplex } from 'node:stream';
import type { Clock } from '@va/core/adapter';
import type { RawData, WebSocket } from 'ws';
import {
  type DownMessage,
  errorCloseCode,
  frameBytes,
  headerBytes,
  type ProtocolErrorCode,
  type UpMessage,
  type WebCallEncoding,
} from '../protocol/messages.ts';
import { RateLimit } from './rate-limit.ts';
import { readMessage } from './read-message.ts';
import { audioMessage, textMessage } from './server-message.ts';

/**
 * Maximum number of frames buffered by a socket: 4 s of audio. Beyond it the connection is closed and the page
 * reconnects.
 */
const maxBufferedFrames = 200;
/** Audio arrives at 50 frames per second, and in bursts after a network stall. */
const audioRate = { perSecond: 60, burst: 750 };
/** Pages send `played` five times per second. */
const controlRate = { perSecond: 20, burst: 60 };

export interface PageListener {
  onAudio(sequence: number, frame: Uint8Array): void;
  onMessage(message: UpMessage): void;
  /** @param left true if the page closed the connection itself, such as on reload */
  onClose(left: boolean): void;
}

/** A WebSocket connection of a page. */
export class PageConnection {
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #audio: RateLimit;
  readonly #control: RateLimit;
  #listener: PageListener | null = null;
  #frameBytes = frameBytes.pcmu;

  /** @param stream the socket below the WebSocket, without compression */
  constructor(socket: WebSocket, stream: Duplex, clock: Clock) {
    this.#socket = socket;
    this.#stream = stream;
    this.#audio = new RateLimit(clock, audioRate);
    this.#control = new RateLimit(clock, controlRate);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('close', (code) => this.#over(code === 1000 || code === 1001));
    // An error is followed by `close`.
    socket.on('error', () => {});
  }

  /** Sets the encoding of the audio in both directions; `pcmu` by default. */
  setEncoding(encoding: WebCallEncoding): void {
    this.#frameBytes = frameBytes[encoding];
  }

  listen(listener: PageListener | null): void {
    this.#listener = listener;
  }

  sendAudio(sequence: number, frame: Uint8Array): void {
    this.#write(() => audioMessage(sequence, frame));
  }

  send(message: DownMessage): void {
    this.#write(() => textMessage(JSON.stringify(message)));
  }

  /** Reports an error and closes the connection. */
  fail(code: ProtocolErrorCode, message: string): void {
    this.send({ type: 'error', code, message });
    this.#socket.close(errorCloseCode, code);
    this.#over(false);
  }

  close(): void {
    this.#socket.close(1000);
  }

  terminate(): void {
    this.#socket.terminate();
    this.#over(false);
  }

  /**
   * Writes a message directly to the stream, in one piece: `ws` would write header and content separately, and writing
   * takes most of the time of a frame. `ws` writes its own messages (pong, close) whole and at once, so that messages
   * never interleave.
   */
  #write(message: () => Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > maxBufferedFrames * (headerBytes + this.#frameBytes)) this.terminate();
    else this.#stream.write(message());
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#listener === null || !Buffer.isBuffer(data)) return;
    if (isBinary) {
      if (data.length !== headerBytes + this.#frameBytes) {
        this.fail('invalid_message', `A frame has ${headerBytes} and ${this.#frameBytes} bytes.`);
      } else if (this.#audio.take()) this.#listener.onAudio(data.readUInt32BE(0), data.subarray(headerBytes));
      return;
    }
    if (!this.#control.take()) {
      this.fail('too_many_messages', 'The page sends too many messages.');
      return;
    }
    const message = readMessage(data.toString('utf8'));
    if (message === null) this.fail('invalid_message', 'The message is not of the protocol.');
    else this.#listener.onMessage(message);
  }

  #over(left: boolean): void {
    const listener = this.#listener;
    this.#listener = null;
    listener?.onClose(left);
  }
}
