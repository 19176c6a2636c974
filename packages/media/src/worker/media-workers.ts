import type { PortPool } from '../rtp/port-pool.ts';
import type { Timer } from '../runtime/clock.ts';
import { VaError } from '../runtime/errors.ts';
import { MediaWorker, type MediaWorkerOptions } from './media-worker-handle.ts';
import type { RemoteLeg } from './remote-leg.ts';

/** Lifetime after which the death of a thread counts as the first one again. */
const stableMs = 60_000;
/** Delay of the second replacement in a row; doubles with each further one, up to the maximum. */
const firstDelayMs = 1_000;
const maxDelayMs = 30_000;

/** A thread and those that replaced it. */
interface WorkerPlace {
  /** The thread that was started last; null while it is dead and its replacement delayed. */
  worker: Promise<MediaWorker> | null;
  /** Null while no thread is ready. */
  ready: MediaWorker | null;
  startedAtMs: number;
  /** Threads in a row that died within `stableMs`. */
  deaths: number;
  restart: Timer | null;
}

/** Media threads of a telephony adapter. A new call gets the one with the fewest legs. Dead threads are replaced. */
export class MediaWorkers {
  readonly #options: Omit<MediaWorkerOptions, 'onLost'>;
  readonly #ports: PortPool;
  readonly #places: WorkerPlace[];
  #isClosed = false;

  private constructor(count: number, ports: PortPool, options: Omit<MediaWorkerOptions, 'onLost'>) {
    this.#options = options;
    this.#ports = ports;
    this.#places = Array.from({ length: count }, () => this.#newPlace());
  }

  /** @throws VaError `sip_media_worker` if a thread does not start */
  static async start(
    count: number,
    ports: PortPool,
    options: Omit<MediaWorkerOptions, 'onLost'>,
  ): Promise<MediaWorkers> {
    const workers = new MediaWorkers(count, ports, options);
    const started = await Promise.allSettled(workers.#started());
    const failed = started.find((each) => each.status === 'rejected');
    if (failed === undefined) return workers;
    await workers.close();
    throw failed.reason;
  }

  /**
   * Opens a leg in the least loaded of the threads that are ready. Waits for a thread only if none is.
   * @throws VaError `rtp_port_unavailable` if no port can be bound; `sip_media_worker` if there is no thread
   */
  async open(address: string): Promise<RemoteLeg> {
    const ready = this.#places.flatMap((place) => place.ready ?? []);
    const workers = ready.length > 0 ? ready : [await this.#firstStarted()];
    const worker = workers.reduce((least, each) => (each.load < least.load ? each : least));
    return await this.#ports.open(address, async (port) => {
      return await worker.open(address, port, () => this.#ports.release(port));
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { restart } of this.#places) restart?.cancel();
    await Promise.all(this.#started().map(async (worker) => await (await worker.catch(() => null))?.close()));
  }

  #started(): Promise<MediaWorker>[] {
    return this.#places.flatMap(({ worker }) => worker ?? []);
  }

  async #firstStarted(): Promise<MediaWorker> {
    try {
      return await Promise.any(this.#started());
    } catch (cause) {
      throw new VaError('sip_media_worker', 'No media worker is running.', { cause });
    }
  }

  #newPlace(): WorkerPlace {
    const place: WorkerPlace = { worker: null, ready: null, startedAtMs: 0, deaths: 0, restart: null };
    this.#start(place);
    return place;
  }

  #start(place: WorkerPlace): void {
    const worker = MediaWorker.start({ ...this.#options, onLost: () => this.#replace(place) });
    place.worker = worker;
    place.startedAtMs = this.#options.clock.nowMs();
    worker.then(
      (started) => {
        if (place.worker === worker) place.ready = started;
      },
      // The rejection is handled by `open`, which awaits this promise if no thread is ready.
      () => {},
    );
  }

  /** Replaces a dead thread: at once, but with a growing delay if one after the other dies soon after its start. */
  #replace(place: WorkerPlace): void {
    const { clock } = this.#options;
    place.ready = null;
    if (this.#isClosed) return;
    place.deaths = clock.nowMs() - place.startedAtMs < stableMs ? place.deaths + 1 : 1;
    if (place.deaths === 1) {
      this.#start(place);
      return;
    }
    place.worker = null;
    const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (place.deaths - 2));
    place.restart = clock.setTimer(delayMs, () => this.#start(place));
  }
}
