import type { CodecName } from '../codec/audio-codec.ts';
import type { AudioFormat } from '../codec/audio-format.ts';
import { encodingOf, formatOf, type LegEncoding } from '../codec/leg-encoding.ts';
import type { DtmfDigit } from '../dsp/dtmf-digit.ts';
import type { AudioLeg } from '../plane/audio-leg.ts';
import type { MediaControl, MediaSettings, MediaThread } from '../plane/media-control.ts';
import type { MediaStatistics } from '../plane/media-statistics.ts';
import { type Agreement, receives, sends } from '../rtp/agreement.ts';
import type { MediaTrust } from '../rtp/media-trust.ts';
import type { NegotiatedLeg } from '../rtp/negotiated-leg.ts';
import type { Logger } from '../runtime/logger.ts';
import type { MediaCommand, MediaWorkerEvent } from './messages.ts';
import { RemoteMediaPlane } from './remote-media-plane.ts';

/** The worker of a leg. */
export interface LegWorker {
  post(command: MediaCommand, transfer?: ArrayBuffer): void;
  /** Called when the leg is closed and its port is free. */
  onClosed(leg: number): void;
}

/** Handle in the main thread for an `RtpLeg` that runs in a worker, used by signalling and conversation. */
export class RemoteLeg implements NegotiatedLeg {
  readonly id: number;
  readonly port: number;
  /** Logger of the call, once there is a conversation. */
  logger: Logger | null = null;
  readonly #worker: LegWorker;
  #agreement: Agreement | null = null;
  #encoding: LegEncoding | null = null;
  #media: RemoteMediaPlane | null = null;
  #onFrame: ((frame: Uint8Array | null) => void) | null = null;
  #onDtmf: ((digit: DtmfDigit) => void) | null = null;
  #isListening = false;
  #isClosed = false;
  #last: MediaStatistics | null = null;
  #isOver = false;
  #asking: ((statistics: MediaStatistics | null) => void)[] = [];

  constructor(id: number, port: number, worker: LegWorker) {
    this.id = id;
    this.port = port;
    this.#worker = worker;
  }

  get agreement(): Agreement | null {
    return this.#agreement;
  }

  /** Format of the first negotiated codec, as in `RtpLeg`. */
  get format(): AudioFormat {
    return formatOf(this.#encoding ?? 'pcmu');
  }

  get receiving(): boolean {
    return this.#agreement !== null && receives(this.#agreement.direction);
  }

  get sending(): boolean {
    return this.#agreement !== null && sends(this.#agreement.direction);
  }

  apply(agreement: Agreement, offered: readonly CodecName[] = [], trust?: MediaTrust): void {
    this.#agreement = agreement;
    this.#encoding ??= encodingOf(agreement.codec.format);
    this.#post({ type: 'apply', leg: this.id, agreement, offered, trust });
  }

  receiveDigit(digit: DtmfDigit): void {
    this.#post({ type: 'signaled-digit', leg: this.id, digit });
  }

  openMedia(settings: MediaSettings, thread: MediaThread): MediaControl {
    this.logger = thread.logger;
    this.#media = new RemoteMediaPlane(this.id, settings, thread, (command, transfer) => this.#post(command, transfer));
    return this.#media;
  }

  onFrame(listener: (frame: Uint8Array | null) => void): void {
    this.#onFrame = listener;
    this.#listen();
  }

  onDtmf(listener: (digit: DtmfDigit) => void): void {
    this.#onDtmf = listener;
    this.#listen();
  }

  send(frame: Uint8Array): void {
    this.#post({ type: 'send-frame', leg: this.id, frame: new Uint8Array(frame) });
  }

  sendDtmf(digits: string, toneMs: number): void {
    this.#post({ type: 'send-dtmf', leg: this.id, digits, toneMs });
  }

  /** Forwards inside the worker; returns false if the legs are in different workers. */
  forwardTo(other: AudioLeg): boolean {
    if (!(other instanceof RemoteLeg) || other.#worker !== this.#worker) return false;
    this.#post({ type: 'forward', leg: this.id, to: other.id });
    return true;
  }

  statistics(): Promise<MediaStatistics | null> {
    if (this.#isOver) return Promise.resolve(this.#last);
    this.#post({ type: 'measure', leg: this.id });
    return new Promise((resolve) => void this.#asking.push(resolve));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#post({ type: 'close', leg: this.id });
    this.#isClosed = true;
  }

  /** Takes the far end's next frame, null if it is lost. The frame is valid until this method returns. */
  receiveFrame(frame: Uint8Array | null): void {
    if (this.#onFrame !== null) this.#onFrame(frame);
    else if (frame !== null) this.#media?.onFrame(frame);
  }

  onEvent(event: MediaWorkerEvent): void {
    switch (event.type) {
      case 'dtmf':
        this.#onDtmf?.(event.digit);
        return;
      case 'measured':
        this.#answer(event.statistics);
        return;
      case 'closed':
        this.#over(event.statistics);
        return;
      default:
        this.#media?.onEvent(event);
    }
  }

  /** Ends the leg after its worker has died. */
  onLost(message: string): void {
    if (this.#isOver) return;
    this.#media?.onLost(message);
    this.#over(this.#last);
  }

  #over(statistics: MediaStatistics | null): void {
    this.#isClosed = true;
    this.#isOver = true;
    this.#last = statistics;
    this.#worker.onClosed(this.id);
    this.#answer(statistics);
    this.#media?.settle();
    this.#onFrame = null;
    this.#onDtmf = null;
  }

  #answer(statistics: MediaStatistics | null): void {
    this.#last = statistics;
    const asking = this.#asking;
    this.#asking = [];
    for (const resolve of asking) resolve(statistics);
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#post({ type: 'listen', leg: this.id });
  }

  #post(command: MediaCommand, transfer?: ArrayBuffer): void {
    if (!this.#isClosed) this.#worker.post(command, transfer);
  }
}
