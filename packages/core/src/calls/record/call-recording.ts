import { toError } from '../../errors.ts';
import type { Logger } from '../../ports/logger.ts';
import type { RecordingSink, RecordingStore } from '../../ports/recordings.ts';

/** The recording of one call. If the store fails, the recording is lost, and the call goes on. */
export class CallRecording {
  readonly #store: RecordingStore;
  readonly #logger: Logger;
  #sink: RecordingSink | null = null;
  #closed = false;

  constructor(store: RecordingStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  async open(orgId: string, callId: string): Promise<RecordingSink | null> {
    try {
      const sink = await this.#store.create(orgId, callId);
      if (!this.#closed) this.#sink = sink;
      else await sink.close();
      return this.#sink;
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown) }, 'failed to open the recording');
      return null;
    }
  }

  /**
   * Completes the recording. Returns false if there is none, or if it could not be completed. A recording that is still
   * being opened is closed once it is open.
   */
  async close(): Promise<boolean> {
    this.#closed = true;
    if (this.#sink === null) return false;
    try {
      await this.#sink.close();
      return true;
    } catch (thrown) {
      this.#logger.error({ err: toError(thrown) }, 'failed to complete the recording');
      return false;
    }
  }
}
