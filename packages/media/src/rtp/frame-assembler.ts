/** Maximum number of lost frames emitted for a gap: recognition gains nothing from more. */
const maxLostFrames = 10;

/** Splits payloads of any length into 20 ms frames. Payloads of 20 ms, which most senders use, are not copied. */
export class FrameAssembler {
  readonly #emit: (frame: Uint8Array | null) => void;
  readonly #frameBytes: number;
  readonly #partial: Uint8Array;
  #partialBytes = 0;
  #payloadBytes: number;

  constructor(frameBytes: number, emit: (frame: Uint8Array | null) => void) {
    this.#frameBytes = frameBytes;
    this.#partial = new Uint8Array(frameBytes);
    this.#payloadBytes = frameBytes;
    this.#emit = emit;
  }

  push(payload: Uint8Array): void {
    const frameBytes = this.#frameBytes;
    if (payload.length === 0) return;
    this.#payloadBytes = payload.length;
    if (this.#partialBytes === 0 && payload.length === frameBytes) {
      this.#emit(payload);
      return;
    }
    let at = 0;
    if (this.#partialBytes > 0) {
      at = Math.min(frameBytes - this.#partialBytes, payload.length);
      this.#partial.set(payload.subarray(0, at), this.#partialBytes);
      this.#partialBytes += at;
      if (this.#partialBytes < frameBytes) return;
      this.#partialBytes = 0;
      this.#emit(this.#partial);
    }
    for (; at + frameBytes <= payload.length; at += frameBytes) {
      this.#emit(payload.subarray(at, at + frameBytes));
    }
    this.#partial.set(payload.subarray(at), 0);
    this.#partialBytes = payload.length - at;
  }

  /** Emits null frames for lost packets, each assumed to be as long as the last received one. */
  lose(packets: number): void {
    const bytes = this.#partialBytes + packets * this.#payloadBytes;
    this.#partialBytes = 0;
    const frames = Math.min(maxLostFrames, Math.max(1, Math.round(bytes / this.#frameBytes)));
    for (let i = 0; i < frames; i++) this.#emit(null);
  }

  reset(): void {
    this.#partialBytes = 0;
    this.#payloadBytes = this.#frameBytes;
  }
}
