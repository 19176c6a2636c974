import type { Listen, NotificationSession } from '../sql/connection.ts';

/** Listener for the notifications of a channel. */
export interface NotificationListener {
  /** Called each time the connection is opened. Notifications sent before are lost. */
  connected(): void;
  payload(text: string): void;
}

const firstRetryMs = 100;
const longestRetryMs = 5_000;
/** Interval between checks of the connection: a connection dropped by a firewall reports no error. */
const checkEveryMs = 15_000;
const checkTimeoutMs = 10_000;

/** Listens on a channel over its own connection, which is reopened whenever it breaks. */
export class Notifications {
  readonly #listen: Listen;
  readonly #channel: string;
  readonly #listener: NotificationListener;
  #listening: NotificationSession | null = null;
  #timer: NodeJS.Timeout | null = null;
  #retryMs = firstRetryMs;
  #isClosed = false;
  #opening: Promise<void>;

  constructor(listen: Listen, channel: string, listener: NotificationListener) {
    this.#listen = listen;
    this.#channel = channel;
    this.#listener = listener;
    this.#opening = this.#open();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#opening;
    this.#listening?.close();
    this.#listening = null;
  }

  async #open(): Promise<void> {
    try {
      const listening = await this.#listen(this.#channel, {
        payload: (text) => this.#listener.payload(text),
        broken: () => this.#onBroken(),
      });
      this.#listening = listening;
      this.#retryMs = firstRetryMs;
      if (this.#isClosed) return;
      this.#listener.connected();
      this.#checkLater();
    } catch {
      // The database is unreachable, which other statements report.
      this.#retryLater();
    }
  }

  #onBroken(): void {
    this.#listening?.close();
    this.#listening = null;
    this.#retryLater();
  }

  #retryLater(): void {
    if (this.#isClosed) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#opening = this.#open();
    }, this.#retryMs);
    this.#timer.unref();
    this.#retryMs = Math.min(longestRetryMs, this.#retryMs * 2);
  }

  #checkLater(): void {
    this.#timer = setTimeout(() => void this.#check(), checkEveryMs);
    this.#timer.unref();
  }

  async #check(): Promise<void> {
    const listening = this.#listening;
    if (listening === null) return;
    const isThere = await Promise.race([
      listening.check().then(
        () => true,
        () => false,
      ),
      new Promise<false>((resolve) => setTimeout(resolve, checkTimeoutMs, false).unref()),
    ]);
    if (listening !== this.#listening || this.#isClosed) return;
    if (isThere) this.#checkLater();
    else this.#onBroken();
  }
}
