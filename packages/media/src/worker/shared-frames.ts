/** Batch of frames to read: their number and memory. Without `memory`, they are in the previous batch's memory. */
export interface FrameBatch {
  readonly count: number;
  readonly memory?: SharedArrayBuffer | undefined;
}

/** Size of the counter of read frames at the start of the memory, and of each tag after it. */
const wordBytes = Uint32Array.BYTES_PER_ELEMENT;

/** Ring buffer of frames, each with a tag, shared by one writer and one reader. */
class FrameMemory {
  readonly #frameBytes: number;
  readonly #hasRead: Int32Array;
  readonly places: number;
  readonly tags: Uint32Array;
  readonly bytes: Uint8Array;

  constructor(shared: SharedArrayBuffer, frameBytes: number) {
    this.#frameBytes = frameBytes;
    this.places = Math.floor((shared.byteLength - wordBytes) / (wordBytes + frameBytes));
    this.#hasRead = new Int32Array(shared, 0, 1);
    this.tags = new Uint32Array(shared, wordBytes, this.places);
    this.bytes = new Uint8Array(shared, wordBytes * (1 + this.places), this.places * frameBytes);
  }

  static create(places: number, frameBytes: number): SharedArrayBuffer {
    return new SharedArrayBuffer(wordBytes + places * (wordBytes + frameBytes));
  }

  /** Number of frames read, modulo 2³². */
  get hasRead(): number {
    return Atomics.load(this.#hasRead, 0);
  }

  set hasRead(frames: number) {
    Atomics.store(this.#hasRead, 0, frames);
  }

  /** Returns the offset of a place's bytes. */
  at(place: number): number {
    return place * this.#frameBytes;
  }
}

/**
 * Passes frames to a `FrameReader` in another thread through shared memory. Bytes in messages would become external
 * garbage there, of which little is enough to make the garbage collector stop the thread.
 */
export class FrameWriter {
  readonly #frameBytes: number;
  #shared: SharedArrayBuffer;
  #memory: FrameMemory;
  #isAnnounced = false;
  #written = 0;
  #pending = 0;

  /** @param places a power of two, so that the frame counter can wrap at 2³² */
  constructor(places: number, frameBytes: number) {
    this.#frameBytes = frameBytes;
    this.#shared = FrameMemory.create(places, frameBytes);
    this.#memory = new FrameMemory(this.#shared, frameBytes);
  }

  /** True if there is no room for another frame until the reader has read, or this writer has grown. */
  get isFull(): boolean {
    return ((this.#written - this.#memory.hasRead) | 0) >= this.#memory.places;
  }

  /** Number of written frames that are in no batch yet. */
  get pending(): number {
    return this.#pending;
  }

  /** Writes a frame in up to two parts, one after the other. Bytes that are not given keep their old value. */
  write(tag: number, first?: Uint8Array, second?: Uint8Array): void {
    const memory = this.#memory;
    const place = this.#written & (memory.places - 1);
    const at = memory.at(place);
    memory.tags[place] = tag;
    if (first !== undefined) memory.bytes.set(first, at);
    if (second !== undefined) memory.bytes.set(second, at + (first?.length ?? 0));
    this.#written = (this.#written + 1) | 0;
    this.#pending += 1;
  }

  /** Returns the batch of all pending frames. Batches must be read in order. */
  takeBatch(): FrameBatch {
    const count = this.#pending;
    this.#pending = 0;
    if (this.#isAnnounced) return { count };
    this.#isAnnounced = true;
    return { count, memory: this.#shared };
  }

  /** Continues in new memory of twice the size. Nothing may be pending. */
  grow(): void {
    this.#shared = FrameMemory.create(2 * this.#memory.places, this.#frameBytes);
    this.#memory = new FrameMemory(this.#shared, this.#frameBytes);
    this.#isAnnounced = false;
    this.#written = 0;
  }
}

/** Reads the frames of a `FrameWriter` in another thread, batch by batch. */
export class FrameReader {
  /** Current frame: a copy in unshared memory, because some APIs refuse shared memory. */
  readonly frame: Uint8Array;
  #memory: FrameMemory | null = null;
  #read = 0;

  constructor(frameBytes: number) {
    this.frame = new Uint8Array(frameBytes);
  }

  /** Calls `each` for every frame of a batch. A frame is valid until `each` returns. */
  read({ count, memory: shared }: FrameBatch, each: (frame: Uint8Array, tag: number) => void): void {
    if (shared !== undefined) {
      this.#memory = new FrameMemory(shared, this.frame.length);
      this.#read = 0;
    }
    const memory = this.#memory;
    if (memory === null) return;
    const end = (this.#read + count) | 0;
    try {
      while (this.#read !== end) {
        const place = this.#read & (memory.places - 1);
        this.#read = (this.#read + 1) | 0;
        const from = memory.at(place);
        for (let i = 0; i < this.frame.length; i++) this.frame[i] = memory.bytes[from + i] as number;
        each(this.frame, memory.tags[place] as number);
      }
    } finally {
      this.#read = end;
      memory.hasRead = end;
    }
  }
}
