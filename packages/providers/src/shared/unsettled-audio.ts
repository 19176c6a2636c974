/** The newest audio, kept to be sent later or again; the oldest chunks beyond `maxBytes` are dropped. */
export class UnsettledAudio {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Stores a copy. */
  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk.slice());
    this.#bytes += chunk.length;
    while (this.#bytes > this.#maxBytes) this.#bytes -= this.#chunks.shift()?.length ?? 0;
  }

  clear(): void {
    this.#chunks = [];
    this.#bytes = 0;
  }

  get chunks(): readonly Uint8Array[] {
    return this.#chunks;
  }
}
