/**
 * How many frames there are to read, and where: in `memory`, as all later ones are, or else where the last ones were.
 */
export interface FrameNews {
  readonly count: number;
  readonly memory?: SharedArrayBuffer | undefined;
}

/** Of the count of what has been read, with which the memory begins, and of each of the tags that follow. */
const wordBytes = Uint32Array.BYTES_PER_ELEMENT;

/** Places for frames, each with a tag, that a writer and a reader go round in. */
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

  /** Frames read since the beginning, modulo 2³². */
  get hasRead(): number {
    return Atomics.load(this.#hasRead, 0);
  }

  set hasRead(frames: number) {
    Atomics.store(this.#hasRead, 0, frames);
  }

  /** Where the bytes of a place begin. */
  at(place: number): number {
    return place * this.#frameBytes;
  }
}

/**
 * Hands frames to another thread (`FrameReader`) in memory that both see. Messages of their bytes would be garbage
 * there, outside of the collector's own memory: of that, little makes it stop the thread.
 */
export class FrameWriter {
  readonly #frameBytes: number;
  #shared: SharedArrayBuffer;
  #memory: FrameMemory;
  #isKnown = false;
  #written = 0;
  #untold = 0;

  /** @param places a power of two: the count of frames wraps at 2³², and is to go on at the next place then */
  constructor(places: number, frameBytes: number) {
    this.#frameBytes = frameBytes;
    this.#shared = FrameMemory.create(places, frameBytes);
    this.#memory = new FrameMemory(this.#shared, frameBytes);
  }

  /** Whether the reader has to read, or this one to `grow`, before there is room for another. */
  get isFull(): boolean {
    return ((this.#written - this.#memory.hasRead) | 0) >= this.#memory.places;
  }

  /** Frames that the reader has not been told of. */
  get untold(): number {
    return this.#untold;
  }

  /** Of a frame in two parts the second begins where the first ends. What is not given stays whatever it was. */
  write(tag: number, first?: Uint8Array, second?: Uint8Array): void {
    const memory = this.#memory;
    const place = this.#written & (memory.places - 1);
    const at = memory.at(place);
    memory.tags[place] = tag;
    if (first !== undefined) memory.bytes.set(first, at);
    if (second !== undefined) memory.bytes.set(second, at + (first?.length ?? 0));
    this.#written = (this.#written + 1) | 0;
    this.#untold += 1;
  }

  /** What the reader is to be told, in this order. */
  news(): FrameNews {
    const count = this.#untold;
    this.#untold = 0;
    if (this.#isKnown) return { count };
    this.#isKnown = true;
    return { count, memory: this.#shared };
  }

  /** Goes on in twice the memory. All that was written must have been told (`news`). */
  grow(): void {
    this.#shared = FrameMemory.create(2 * this.#memory.places, this.#frameBytes);
    this.#memory = new FrameMemory(this.#shared, this.#frameBytes);
    this.#isKnown = false;
    this.#written = 0;
  }
}

/** Reads what a `FrameWriter` in another thread has written, as it is told. */
export class FrameReader {
  /** The frame that is being read: a copy, in memory that is not shared, as not everything takes what is. */
  readonly frame: Uint8Array;
  #memory: FrameMemory | null = null;
  #read = 0;

  constructor(frameBytes: number) {
    this.frame = new Uint8Array(frameBytes);
  }

  /** Calls `each` for all frames that the news tell of. A frame is good until it returns. */
  read({ count, memory: shared }: FrameNews, each: (frame: Uint8Array, tag: number) => void): void {
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
