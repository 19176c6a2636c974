import type { Clock } from '@va/core/adapter';
import type { LegEncoding } from '@va/media';
import { type ClientOptions, WebSocket } from 'ws';
import { StreamPlayback } from './stream-playback.ts';

/** Faults of a carrier's media streams; none by default. */
export interface StreamFaults {
  /** Token that is presented in place of the service's own. */
  readonly token?: string;
  /** Leaves out each n-th frame of the phone. */
  readonly losesEvery?: number;
  /** Plays audio that arrives at an empty queue after this time. Default: 100 ms. */
  readonly delayMs?: number;
  /** Sends messages that no carrier sends between its own. */
  readonly sendsGarbage?: true;
  /** Sends and expects 16-bit samples in little-endian instead of network byte order. */
  readonly littleEndian?: true;
  /** Signs the request of the stream with a wrong secret, if the carrier signs it. */
  readonly forgesStream?: true;
}

/** Options of one call at a carrier server: its clock and the faults of its media stream. */
export interface CarrierCallOptions {
  readonly clock: Clock;
  readonly faults?: StreamFaults | undefined;
  /** False for a carrier that does not return the marks of cleared audio. Default: true. */
  readonly returnsClearedMarks?: boolean;
}

/** A message of a stream: an object is sent as JSON, bytes as a binary message. */
export type CarrierMessage = object | string | Uint8Array;

const garbage: readonly CarrierMessage[] = [
  'not JSON',
  '[]',
  'null',
  '{"event":"media","media":{"payload":7,"timestamp":{},"chunk":"x"}}',
  '{"event":"mark","mark":null}',
  '{"event":"dtmf","dtmf":{"digit":"nine"}}',
  '{"event":"unknown"}',
  new Uint8Array(0),
];

/**
 * The carrier's side of a call: plays the stream's audio to its phone, and sends the phone's audio to the stream.
 * Malformed messages of the service throw, so that a test fails.
 */
export abstract class CarrierCall {
  readonly id: string;
  protected readonly options: CarrierCallOptions;
  #socket: WebSocket | null = null;
  #playback: StreamPlayback | null = null;
  #chunk = 0;
  #onEnd: () => void = () => {};
  /** True once the service has refused the call. */
  refused = false;
  /** True once the call is over. */
  ended = false;
  /** Destination of a blind transfer; null if there was none. */
  transferredTo: string | null = null;
  /** DTMF digits that the service had the carrier send to the phone. */
  keys = '';
  /** URL of the media stream; empty until the service has named it. */
  streamUrl = '';
  /** Names of the marks that the service has sent. */
  readonly marks: string[] = [];

  constructor(id: string, options: CarrierCallOptions) {
    this.id = id;
    this.options = options;
  }

  /** Encoding of the audio of the stream, in both directions. */
  encoding: LegEncoding = 'pcmu';

  /** Audio that the phone has heard, in frames of 20 ms. */
  get heard(): readonly Uint8Array[] {
    return this.#playback?.played ?? [];
  }

  /** Most frames that were queued at once. */
  get mostQueued(): number {
    return this.#playback?.mostQueued ?? 0;
  }

  /** Number of times that the queue was cleared. */
  get cleared(): number {
    return this.#playback?.cleared ?? 0;
  }

  get isStreaming(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  onEnd(listener: () => void): void {
    this.#onEnd = listener;
  }

  /** Sends 20 ms of the phone's audio, in the encoding of the stream. */
  say(frame: Uint8Array): void {
    this.#chunk += 1;
    const { losesEvery, sendsGarbage } = this.options.faults ?? {};
    if (losesEvery !== undefined && this.#chunk % losesEvery === 0) return;
    if (sendsGarbage === true) this.send(garbage[this.#chunk % garbage.length] ?? 'null');
    this.send(this.audioMessage(frame, this.#chunk));
  }

  /** Presses a key of the phone. */
  press(digit: string): void {
    this.send(this.keyMessage(digit));
  }

  /** The phone hangs up. */
  hangUp(): void {
    for (const message of this.stopMessages()) this.send(message);
    this.#socket?.close();
    this.end();
  }

  /** Closes the connection of the stream abruptly, without a stop message. */
  breakStream(): void {
    this.#socket?.terminate();
  }

  /** Ends the call, and with it its stream. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.closeStream();
    this.#onEnd();
  }

  /**
   * Opens a second stream with the URL and the start messages of the first one. Resolves to true if the service refuses
   * it.
   */
  async isRefusedAgain(): Promise<boolean> {
    const socket = this.connect(this.streamUrl);
    return await new Promise((resolve) => {
      socket.on('open', () => {
        for (const message of this.startMessages()) socket.send(JSON.stringify(message));
      });
      socket.on('unexpected-response', () => resolve(true));
      socket.on('error', () => resolve(true));
      socket.on('close', (code) => resolve(code === 1008));
    });
  }

  /** Opens the media stream. */
  protected open(url: string): void {
    this.streamUrl = url;
    const socket = this.connect(url);
    this.#socket = socket;
    const { clock, faults, returnsClearedMarks: returnsCleared = true } = this.options;
    const settings = { returnsCleared, delayMs: faults?.delayMs, encoding: this.encoding };
    const playback = new StreamPlayback(clock, (name) => this.send(this.markMessage(name)), settings);
    this.#playback = playback;
    socket.on('open', () => {
      for (const message of this.startMessages()) this.send(message);
    });
    socket.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary, playback));
    socket.on('error', () => {});
    socket.on('close', () => {
      playback.stop();
      if (this.#socket === socket) this.streamClosed();
    });
  }

  /** Closes the stream without ending the call. */
  protected closeStream(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#playback?.stop();
    socket?.close();
  }

  protected send(message: CarrierMessage): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const isText = typeof message === 'string' || message instanceof Uint8Array;
    this.#socket.send(isText ? message : JSON.stringify(this.numbered(message)));
  }

  /** Opens a WebSocket as the carrier does. */
  protected connect(url: string): WebSocket {
    const { protocols = [], ...options } = this.handshake(url);
    return new WebSocket(url, [...protocols], options);
  }

  /** Headers and sub-protocols of the stream's request. */
  protected handshake(_url: string): ClientOptions & { readonly protocols?: readonly string[] } {
    return {};
  }

  /** Adds the fields that all messages have. */
  protected numbered(message: object): object {
    return message;
  }

  /** Handles a stream that the service closed or that broke: ends the call, as most carriers do. */
  protected streamClosed(): void {
    this.end();
  }

  protected abstract startMessages(): readonly object[];
  protected abstract stopMessages(): readonly object[];
  protected abstract audioMessage(frame: Uint8Array, chunk: number): CarrierMessage;
  protected abstract keyMessage(digit: string): CarrierMessage;
  protected abstract markMessage(name: string): CarrierMessage;
  /** Handles a message of the service. */
  protected abstract receive(data: Buffer, isBinary: boolean, playback: StreamPlayback): void;
}
