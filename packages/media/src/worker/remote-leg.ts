import type { CodecName } from '../codec/audio-codec.ts';
import type { AudioFormat } from '../codec/audio-format.ts';
import type { G711Encoding } from '../codec/g711.ts';
import type { DtmfDigit } from '../dsp/dtmf-digit.ts';
import type { AudioLeg } from '../plane/audio-leg.ts';
import type { MediaControl, MediaSettings, MediaThread } from '../plane/media-control.ts';
import type { MediaStatistics } from '../plane/media-statistics.ts';
import { type Agreement, receives, sends } from '../rtp/agreement.ts';
import type { MediaTrust } from '../rtp/media-trust.ts';
import type { NegotiatedLeg } from '../rtp/negotiated-leg.ts';
import type { Logger } from '../runtime/logger.ts';
import type { LegCommand, LegHappening } from './protocol.ts';
import { DistantMedia } from './remote-media-plane.ts';

/** What a leg needs of the worker that it lives in. */
export interface LegPost {
  post(leg: number, command: LegCommand, transfer?: ArrayBuffer): void;
  /** The leg is closed: its port is free. */
  closed(leg: number): void;
}

/** A call's RTP that runs in a worker, as signalling and conversation see it. */
export class WorkerLeg implements NegotiatedLeg {
  readonly id: number;
  readonly port: number;
  /** That of the call, once there is a conversation. */
  logger: Logger | null = null;
  readonly #worker: LegPost;
  #agreement: Agreement | null = null;
  #encoding: G711Encoding | null = null;
  #media: DistantMedia | null = null;
  #onFrame: ((frame: Uint8Array | null) => void) | null = null;
  #onDtmf: ((digit: DtmfDigit) => void) | null = null;
  #isListening = false;
  #isClosed = false;
  #last: MediaStatistics | null = null;
  #isOver = false;
  #asking: ((statistics: MediaStatistics | null) => void)[] = [];

  constructor(id: number, port: number, worker: LegPost) {
    this.id = id;
    this.port = port;
    this.#worker = worker;
  }

  get agreement(): Agreement | null {
    return this.#agreement;
  }

  /** That of the codec that was agreed on first, as `RtpLeg` has it. */
  get format(): AudioFormat {
    return { encoding: this.#encoding ?? 'pcmu', sampleRateHz: 8_000 };
  }

  get receiving(): boolean {
    return this.#agreement !== null && receives(this.#agreement.direction);
  }

  get sending(): boolean {
    return this.#agreement !== null && sends(this.#agreement.direction);
  }

  apply(agreement: Agreement, offered: readonly CodecName[] = [], trust?: MediaTrust): void {
    this.#agreement = agreement;
    this.#encoding ??= agreement.codec.format.encoding === 'pcma' ? 'pcma' : 'pcmu';
    this.#post({ type: 'apply', agreement, offered, trust });
  }

  receiveDigit(digit: DtmfDigit): void {
    this.#post({ type: 'told-digit', digit });
  }

  openMedia(settings: MediaSettings, thread: MediaThread): MediaControl {
    this.logger = thread.logger;
    this.#media = new DistantMedia(settings, thread, (command, transfer) => {
      this.#post({ type: 'media', command }, transfer);
    });
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
    this.#post({ type: 'send', frame: new Uint8Array(frame) });
  }

  sendDtmf(digits: string, toneMs: number): void {
    this.#post({ type: 'press', digits, toneMs });
  }

  /** In the worker itself, where both legs live in the same one. */
  forwardTo(other: AudioLeg): boolean {
    if (!(other instanceof WorkerLeg) || other.#worker !== this.#worker) return false;
    this.#post({ type: 'forward', to: other.id });
    return true;
  }

  statistics(): Promise<MediaStatistics | null> {
    if (this.#isOver) return Promise.resolve(this.#last);
    this.#post({ type: 'measure' });
    return new Promise((resolve) => void this.#asking.push(resolve));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#post({ type: 'close' });
    this.#isClosed = true;
  }

  /** The far end's next frame, from the worker. Valid until it returns. */
  hear(frame: Uint8Array | null): void {
    if (this.#onFrame !== null) this.#onFrame(frame);
    else if (frame !== null) this.#media?.hear(frame);
  }

  happened(what: LegHappening): void {
    switch (what.type) {
      case 'digit':
        this.#onDtmf?.(what.digit);
        return;
      case 'measured':
        this.#answer(what.statistics);
        return;
      case 'closed':
        this.#over(what.statistics);
        return;
      case 'media':
        this.#media?.happened(what.happening);
    }
  }

  /** The worker is no more. */
  lost(message: string): void {
    if (this.#isOver) return;
    this.#media?.lost(message);
    this.#over(this.#last);
  }

  #over(statistics: MediaStatistics | null): void {
    this.#isClosed = true;
    this.#isOver = true;
    this.#last = statistics;
    this.#worker.closed(this.id);
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
    this.#post({ type: 'listen' });
  }

  #post(command: LegCommand, transfer?: ArrayBuffer): void {
    if (!this.#isClosed) this.#worker.post(this.id, command, transfer);
  }
}
