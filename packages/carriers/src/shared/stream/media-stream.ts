import type { Clock } from '@va/core/adapter';
import { legAudio } from '@va/media';
import type { WebSocket } from 'ws';
import { ChunkOrder } from './chunk-order.ts';
import { StreamLeg, type StreamWire, type TransferLeg } from './stream-leg.ts';
import type { MediaStreamMessage, StreamProtocol } from './stream-protocol.ts';

/** Maximum buffered audio of a socket in milliseconds. A slower connection is unsuitable for a call. */
const maxBufferedMs = 10_000;
/** Minimum share of audio in a message, which may be base64 within JSON. */
const audioShare = 0.4;
/** Maximum wait for the playback of queued audio before a hang-up. */
const lastWordsMs = 2_000;

type Audio = Extract<MediaStreamMessage, { type: 'audio' }>;

export interface MediaStreamOptions {
  readonly protocol: StreamProtocol;
  readonly clock: Clock;
  readonly transfer: TransferLeg;
  /**
   * Sends DTMF through the carrier's API; returns false if the API does not support these digits. Absent if it has no
   * such command.
   */
  readonly press?: ((keys: string, toneMs: number) => boolean) | undefined;
}

/** The media stream of a call after its start message. */
export class MediaStream implements StreamWire {
  readonly leg: StreamLeg;
  readonly #socket: WebSocket;
  readonly #options: MediaStreamOptions;
  readonly #maxBufferedBytes: number;
  readonly #order = new ChunkOrder<Audio>(({ audio, timestampMs }) => this.leg.received(audio, timestampMs));
  #onEnd: (() => void) | null = null;

  constructor(socket: WebSocket, options: MediaStreamOptions) {
    this.#socket = socket;
    this.#options = options;
    const { encoding } = options.protocol;
    this.#maxBufferedBytes = (maxBufferedMs * legAudio[encoding].bytesPerMs) / audioShare;
    this.leg = new StreamLeg(encoding, this, options.clock, options.transfer);
    socket.on('message', (data: Buffer, isBinary) => {
      const message = options.protocol.read(data, isBinary);
      if (message !== null) this.#receive(message);
    });
    socket.on('close', () => this.#over());
  }

  /** Adds the listener that is called once, when either side has ended the stream. */
  onEnd(listener: () => void): void {
    this.#onEnd = listener;
  }

  sendAudio(frame: Uint8Array): void {
    this.#send(this.#options.protocol.audio(frame));
  }

  sendMark(name: string): void {
    this.#send(this.#options.protocol.mark(name));
  }

  clear(): void {
    this.#send(this.#options.protocol.clear());
  }

  press(keys: string, toneMs: number): boolean {
    const { protocol, press } = this.#options;
    if (protocol.keys === undefined) return press?.(keys, toneMs) ?? false;
    this.#send(protocol.keys(keys));
    return true;
  }

  /** Resolves once the queued audio has been played, after 2 s at the latest. */
  async finish(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#options.clock.setTimer(lastWordsMs, resolve);
      void this.leg.whenPlayed().then(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  close(): void {
    this.#socket.close(1000);
    this.#over();
  }

  #send(message: string | Uint8Array): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > this.#maxBufferedBytes) this.#socket.terminate();
    else this.#socket.send(message);
  }

  #receive(message: MediaStreamMessage): void {
    switch (message.type) {
      case 'audio':
        if (message.chunk === undefined) this.leg.received(message.audio, message.timestampMs);
        else this.#order.take(message.chunk, message);
        return;
      case 'key':
        this.leg.pressed(message.digit);
        return;
      case 'mark':
        this.leg.marked(message.name);
        return;
      case 'stop':
        this.close();
    }
  }

  #over(): void {
    this.leg.end();
    const onEnd = this.#onEnd;
    this.#onEnd = null;
    onEnd?.();
  }
}
