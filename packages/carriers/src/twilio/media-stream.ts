import type { Clock } from '@va/core/adapter';
import type { WebSocket } from 'ws';
import { StreamLeg, type StreamWire, type TransferLeg } from '../shared/stream-leg.ts';
import { readFrame } from './frames.ts';

/** Bytes that may wait in a socket: 10 s of audio. Beyond that the connection is too slow for a call. */
const maxBufferedBytes = 150_000;
/** Maximum wait for the last words to be played before a hang-up. */
const lastWordsMs = 2_000;

/** The media stream of one call, from its `start` message on. */
export class MediaStream implements StreamWire {
  readonly leg: StreamLeg;
  readonly #socket: WebSocket;
  readonly #streamSid: string;
  readonly #clock: Clock;
  readonly #mediaHead: string;
  #onEnd: (() => void) | null = null;

  constructor(
    socket: WebSocket,
    { streamSid, clock, transfer }: { streamSid: string; clock: Clock; transfer: TransferLeg },
  ) {
    this.#socket = socket;
    this.#streamSid = streamSid;
    this.#clock = clock;
    this.#mediaHead = `{"event":"media","streamSid":${JSON.stringify(streamSid)},"media":{"payload":"`;
    this.leg = new StreamLeg(this, clock, transfer);
    socket.on('message', (data, isBinary) => {
      if (!isBinary) this.#receive(String(data));
    });
    socket.on('close', () => this.#over());
  }

  /** Calls the listener once, when the far end or this side has ended the stream. */
  onEnd(listener: () => void): void {
    this.#onEnd = listener;
  }

  sendAudio(frame: Uint8Array): void {
    const payload = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength).toString('base64');
    this.#send(`${this.#mediaHead}${payload}"}}`);
  }

  sendMark(name: string): void {
    this.#send(JSON.stringify({ event: 'mark', streamSid: this.#streamSid, mark: { name } }));
  }

  clear(): void {
    this.#send(JSON.stringify({ event: 'clear', streamSid: this.#streamSid }));
  }

  /** Closes the stream once the last words have been played, after 2 s at the latest. */
  async finish(): Promise<void> {
    const timeout = new Promise<void>((resolve) => {
      const timer = this.#clock.setTimer(lastWordsMs, resolve);
      void this.leg.whenPlayed().then(() => {
        timer.cancel();
        resolve();
      });
    });
    await timeout;
    this.close();
  }

  /** Closes the stream; the carrier then ends the call. */
  close(): void {
    this.#socket.close(1000);
    this.#over();
  }

  #send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > maxBufferedBytes) {
      this.#socket.terminate();
      return;
    }
    this.#socket.send(text);
  }

  #receive(text: string): void {
    const frame = readFrame(text);
    switch (frame?.event) {
      case 'media':
        this.leg.received(frame.audio, frame.timestampMs);
        return;
      case 'dtmf':
        this.leg.pressed(frame.digit);
        return;
      case 'mark':
        this.leg.marked(frame.name);
        return;
      case 'stop':
        this.close();
        return;
      default:
    }
  }

  #over(): void {
    this.leg.end();
    const onEnd = this.#onEnd;
    this.#onEnd = null;
    onEnd?.();
  }
}
