/** A fifth of a second at one byte a sample: whole frames, and little wasted by a short word. */
const blockBytes = 1_600;
/** What is kept for later speech, in all calls of the thread: 6.5 MB. */
const maxSpareBlocks = 4_096;

/**
 * Used again and again by all calls of this thread. Speech waits for seconds before it is played: buffers of its own
 * would each be garbage of the old generation, and at a few hundred calls they were why the collector stopped the
 * thread every other second.
 */
const spareBlocks: Uint8Array[] = [];

/** Audio of one byte a sample: what is put in first is taken first. */
export class AudioQueue {
  readonly #blocks: Uint8Array[] = [];
  /** Where the next byte is in the first block. */
  #readAt = 0;
  /** Where the next one goes in the last block. */
  #writeAt = blockBytes;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Keeps a copy. */
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

  /** Moves the next bytes to the beginning of `into`: as many as there are of `count`. */
  take(into: Uint8Array, count: number): void {
    const end = Math.min(count, this.#length);
    for (let at = 0; at < end; ) {
      const block = this.#blocks[0] as Uint8Array;
      const readTo = Math.min(blockBytes, this.#readAt + end - at);
      // A view of the bytes would cost each frame more than to copy them one by one.
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
