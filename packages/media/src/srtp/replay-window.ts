const windowPackets = 64;

/**
 * Which of the last 64 packets have come, by their index: the same packet is not taken twice, nor one from before them.
 * @see RFC 3711 §3.3.2
 */
export class ReplayWindow {
  #newest = -1;
  /** The newest 32 of them, the newest as the lowest bit, and those before. */
  #recent = 0;
  #older = 0;

  /** Whether a packet of this index may be taken. */
  isNew(index: number): boolean {
    const age = this.#newest - index;
    if (age < 0) return true;
    if (age >= windowPackets) return false;
    return age < 32 ? (this.#recent & (1 << age)) === 0 : (this.#older & (1 << (age - 32))) === 0;
  }

  /** Notes an authentic packet. */
  accept(index: number): void {
    const step = index - this.#newest;
    if (step > 0) {
      this.#shift(step);
      this.#newest = index;
      this.#recent |= 1;
    } else if (step > -32) this.#recent |= 1 << -step;
    else this.#older |= 1 << (-step - 32);
  }

  #shift(by: number): void {
    if (by >= windowPackets) {
      this.#recent = 0;
      this.#older = 0;
    } else if (by >= 32) {
      this.#older = this.#recent << (by - 32);
      this.#recent = 0;
    } else {
      this.#older = (this.#older << by) | (this.#recent >>> (32 - by));
      this.#recent <<= by;
    }
  }
}
