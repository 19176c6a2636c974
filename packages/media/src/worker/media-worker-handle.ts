import { Worker } from 'node:worker_threads';
import type { Clock } from '../runtime/clock.ts';
import { toError, VaError } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import {
  frameBytes,
  lostFrame,
  type MediaCommand,
  type MediaWorkerBatch,
  type ToWorker,
  type WorkerStart,
  wideFrameBytes,
} from './messages.ts';
import { type LegWorker, RemoteLeg } from './remote-leg.ts';
import { FrameReader } from './shared-frames.ts';

export interface MediaWorkerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** True if the thread loads the Opus library. */
  readonly opus: boolean;
  /** Called when the thread ends unexpectedly. */
  readonly onLost: () => void;
}

interface PendingLeg {
  readonly opened: (leg: RemoteLeg) => void;
  readonly failed: (error: Error) => void;
  readonly onClosed: () => void;
}

const startTimeoutMs = 30_000;
const stopTimeoutMs = 2_000;

/** Handle of a thread that runs the media of calls, so that a blocked main thread delays no frames. */
export class MediaWorker implements LegWorker {
  readonly #worker: Worker;
  readonly #options: MediaWorkerOptions;
  readonly #legs = new Map<number, RemoteLeg>();
  readonly #closing = new Map<number, () => void>();
  readonly #opening = new Map<number, PendingLeg>();
  readonly #ended: Promise<void>;
  readonly #audio = new FrameReader(frameBytes);
  readonly #wideAudio = new FrameReader(wideFrameBytes);
  #commands: MediaCommand[] = [];
  #transfer: ArrayBuffer[] = [];
  #lastLeg = 0;
  #isEnding = false;
  #failure: Error | null = null;

  private constructor(options: MediaWorkerOptions) {
    this.#options = options;
    const { clock, opus } = options;
    const workerData: WorkerStart = { clockAtZeroMs: clock.nowMs() - Number(process.hrtime.bigint()) / 1e6, opus };
    const { file, execArgv } = program();
    this.#worker = new Worker(file, { workerData, execArgv, name: 'va-media' });
    this.#worker.on('message', (message: MediaWorkerBatch | 'ready') => {
      if (message !== 'ready') this.#receive(message);
    });
    this.#worker.on('error', (thrown) => {
      this.#failure = toError(thrown);
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        this.#exited(code);
        resolve();
      });
    });
  }

  /**
   * Starts a thread and waits until it is ready.
   * @throws VaError `sip_media_worker` if the thread does not start
   */
  static async start(options: MediaWorkerOptions): Promise<MediaWorker> {
    const worker = new MediaWorker(options);
    await worker.#ready();
    return worker;
  }

  /** Number of legs that are open or being opened. */
  get load(): number {
    return this.#legs.size + this.#opening.size;
  }

  /**
   * Opens a leg in the thread. Rejects with the system's error if the port cannot be bound, and with VaError
   * `sip_media_worker` if the thread has ended.
   */
  open(address: string, port: number, onClosed: () => void): Promise<RemoteLeg> {
    return new Promise((resolve, reject) => {
      if (this.#isEnding) {
        reject(new VaError('sip_media_worker', 'The media worker has ended.'));
        return;
      }
      this.#lastLeg += 1;
      this.#opening.set(this.#lastLeg, { opened: resolve, failed: reject, onClosed });
      this.post({ type: 'open', leg: this.#lastLeg, address, port });
    });
  }

  /** Queues a command. Commands of one turn of the event loop are posted in one message. */
  post(command: MediaCommand, transfer?: ArrayBuffer): void {
    if (this.#isEnding) return;
    if (this.#commands.length === 0) queueMicrotask(() => this.#flush());
    this.#commands.push(command);
    if (transfer !== undefined) this.#transfer.push(transfer);
  }

  onClosed(leg: number): void {
    this.#legs.delete(leg);
    this.#closing.get(leg)?.();
    this.#closing.delete(leg);
  }

  /** Closes all legs and ends the thread. */
  async close(): Promise<void> {
    if (!this.#isEnding) {
      this.#flush();
      this.#isEnding = true;
      this.#worker.postMessage('stop' satisfies ToWorker);
    }
    const late = this.#options.clock.setTimer(stopTimeoutMs, () => void this.#worker.terminate());
    await this.#ended;
    late.cancel();
  }

  async #ready(): Promise<void> {
    const started = new Promise<void>((resolve) => {
      const onMessage = (message: unknown): void => {
        if (message !== 'ready') return;
        this.#worker.off('message', onMessage);
        resolve();
      };
      this.#worker.on('message', onMessage);
    });
    const { clock } = this.#options;
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string): void => {
        reject(new VaError('sip_media_worker', `The media worker did not start: ${why}.`, { cause: this.#failure }));
      };
      const timer = clock.setTimer(startTimeoutMs, () => {
        fail(`it was not ready in ${startTimeoutMs / 1_000} s`);
        void this.#worker.terminate();
      });
      void started.then(() => {
        timer.cancel();
        resolve();
      });
      void this.#ended.then(() => {
        timer.cancel();
        fail(this.#failure?.message ?? 'it ended');
      });
    });
  }

  #flush(): void {
    if (this.#commands.length === 0 || this.#isEnding) return;
    const commands: ToWorker = this.#commands;
    const transfer = this.#transfer;
    this.#commands = [];
    this.#transfer = [];
    this.#worker.postMessage(commands, transfer);
  }

  #receive({ audio, wideAudio, events, log }: MediaWorkerBatch): void {
    for (const { level, fields, message } of log) this.#loggerOf(fields.leg)[level](fields, message);
    this.#audio.read(audio, this.#receiveFrame);
    if (wideAudio !== undefined) this.#wideAudio.read(wideAudio, this.#receiveFrame);
    for (const event of events) {
      if (event.type === 'opened') this.#opened(event.leg, event.port);
      else if (event.type === 'open-failed') {
        this.#opening.get(event.leg)?.failed(Object.assign(new Error(event.message), { code: event.code }));
        this.#opening.delete(event.leg);
      } else this.#legs.get(event.leg)?.onEvent(event);
    }
  }

  readonly #receiveFrame = (frame: Uint8Array, tag: number): void => {
    const isLost = tag >= lostFrame;
    this.#legs.get(isLost ? tag - lostFrame : tag)?.receiveFrame(isLost ? null : frame);
  };

  #loggerOf(leg: unknown): Logger {
    const call = typeof leg === 'number' ? this.#legs.get(leg)?.logger : null;
    return call ?? this.#options.logger;
  }

  #opened(id: number, port: number): void {
    const opening = this.#opening.get(id);
    if (opening === undefined) return;
    this.#opening.delete(id);
    const leg = new RemoteLeg(id, port, this);
    this.#legs.set(id, leg);
    this.#closing.set(id, opening.onClosed);
    opening.opened(leg);
  }

  #exited(code: number): void {
    const isExpected = this.#isEnding;
    this.#isEnding = true;
    const message = this.#failure?.message ?? `The media worker ended with code ${code}.`;
    const opening = [...this.#opening.values()];
    this.#opening.clear();
    for (const { failed } of opening) failed(new VaError('sip_media_worker', message, { cause: this.#failure }));
    for (const leg of [...this.#legs.values()]) leg.onLost(message);
    if (isExpected) return;
    this.#options.logger.error({ err: this.#failure ?? new Error(message) }, 'a media worker died with its calls');
    this.#options.onLost();
  }
}

/** Returns the program of the thread: the built worker, or its source if this file is run from source. */
function program(): { file: URL; execArgv: string[] } {
  if (import.meta.url.endsWith('.ts')) {
    return { file: new URL('./source-worker.mjs', import.meta.url), execArgv: ['--conditions=@va/source'] };
  }
  return { file: new URL('./media-worker-entry.js', import.meta.url), execArgv: [] };
}
