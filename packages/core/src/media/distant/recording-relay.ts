import type { RecordingSink } from '../../ports/recordings.ts';

/** Frames that are told together: half a second. */
const framesTogether = 25;

/** A recording that another thread writes down. */
export class RecordingRelay implements RecordingSink {
  readonly #tell: (samples: Int16Array) => void;
  #together: Int16Array | null = null;
  #filled = 0;

  constructor(tell: (samples: Int16Array) => void) {
    this.#tell = tell;
  }

  write(samples: Int16Array): void {
    this.#together ??= new Int16Array(framesTogether * samples.length);
    this.#together.set(samples, this.#filled);
    this.#filled += samples.length;
    if (this.#filled === this.#together.length) this.flush();
  }

  flush(): void {
    const together = this.#together;
    if (together === null) return;
    const samples = this.#filled === together.length ? together : together.slice(0, this.#filled);
    this.#together = null;
    this.#filled = 0;
    this.#tell(samples);
  }

  async close(): Promise<void> {
    this.flush();
  }
}
