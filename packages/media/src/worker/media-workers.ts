import type { PortPool } from '../rtp/port-pool.ts';
import { MediaWorker, type MediaWorkerOptions } from './media-worker-handle.ts';
import type { RemoteLeg } from './remote-leg.ts';

/** Media threads of a telephony adapter. A new call gets the one with the fewest legs. Dead threads are replaced. */
export class MediaWorkers {
  readonly #options: Omit<MediaWorkerOptions, 'onLost'>;
  readonly #ports: PortPool;
  readonly #workers: Promise<MediaWorker>[];
  #isClosed = false;

  private constructor(count: number, ports: PortPool, options: Omit<MediaWorkerOptions, 'onLost'>) {
    this.#options = options;
    this.#ports = ports;
    this.#workers = Array.from({ length: count }, (_, place) => this.#start(place));
  }

  /** @throws VaError `sip_media_worker` if a thread does not start */
  static async start(
    count: number,
    ports: PortPool,
    options: Omit<MediaWorkerOptions, 'onLost'>,
  ): Promise<MediaWorkers> {
    const workers = new MediaWorkers(count, ports, options);
    const started = await Promise.allSettled(workers.#workers);
    const failed = started.find((each) => each.status === 'rejected');
    if (failed === undefined) return workers;
    await workers.close();
    throw failed.reason;
  }

  /**
   * @throws VaError `rtp_port_unavailable` if no port can be bound; `sip_media_worker` if there is no thread
   */
  async open(address: string): Promise<RemoteLeg> {
    const workers = await Promise.all(this.#workers);
    const worker = workers.reduce((least, each) => (each.load < least.load ? each : least));
    return await this.#ports.open(address, async (port) => {
      return await worker.open(address, port, () => this.#ports.release(port));
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#workers.map(async (worker) => await (await worker.catch(() => null))?.close()));
  }

  #start(place: number): Promise<MediaWorker> {
    const worker = MediaWorker.start({
      ...this.#options,
      onLost: () => {
        if (!this.#isClosed) this.#workers[place] = this.#start(place);
      },
    });
    // The rejection is handled by `open`, which awaits this promise for the next phone call.
    worker.catch(() => {});
    return worker;
  }
}
