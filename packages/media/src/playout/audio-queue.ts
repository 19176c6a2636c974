/** 200 ms of G.711, in whole frames, or 50 ms at 16 kHz: little waste for a short word. */
const blockBytes = 1_600;
/** Maximum number of pooled blocks in all calls of the thread: 6.5 MB. */
const maxSpareBlocks = 4_096;

/**
 * Block pool of all calls of this thread. Speech waits for seconds before it is played, so that separate buffers would
 * become garbage of the old generation; at a few hundred calls, collecting it paused the thread every other second.
 */
const spareBlocks: Uint8Array[] = [];

/** FIFO of audio. */
export class AudioQueue {
  readonly #blocks: Uint8Array[] = [];
  /** Position of the next byte in the first block. */
  #readAt = 0;
  /** Write position in the last block. */
  #writeAt = blockBytes;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Appends a copy. */
  push(audio: Uint8Array): void {
    for (let at = 0; at < audio.length; ) {
      if (this.#writeAt === blockBytes) this.#addBlock();
      const room = blockBytes - this.#writeAt;
      const part = at === 0 && audio.length <= room ? audio : audio.subarray(at, at + room);
      this.#blocks.at(-1)?.set(part, this.#writeAt);
      this.#writeAt += part.length;
      at += part.length;
    }
    this.#length += audio.length;
  }

  /** Moves up to `count` bytes to the start of `into`. */
  take(into: Uint8Array, count: number): void {
    const end = Math.min(count, this.#length);
    for (let at = 0; at < end; ) {
      const block = this.#blocks[0] as Uint8Array;
      const readTo = Math.min(blockBytes, this.#readAt + end - at);
      // A view would cost more per frame than copying byte by byte.
      for (let i = this.#readAt; i < readTo; i++) into[at++] = block[i] as number;
      this.#readAt = readTo;
      if (readTo === blockBytes) this.#dropBlock();
    }
    this.#length -= end;
    if (this.#length === 0) this.clear();
  }

  clear(): void {
    while (this.#blocks.length > 0) this.#dropBlock();
    this.#writeAt = blockBytes;
    this.#length = 0;
  }

  #addBlock(): void {
    this.#blocks.push(spareBlocks.pop() ?? new Uint8Array(blockBytes));
    this.#writeAt = 0;
  }

  #dropBlock(): void {
    const block = this.#blocks.shift();
    this.#readAt = 0;
    if (block !== undefined && spareBlocks.length < maxSpareBlocks) spareBlocks.push(block);
  }
}
