const windowPackets = 64;

/**
 * Replay protection: records which of the last 64 packets have arrived. Repeated and older packets are refused.
 * @see RFC 3711 §3.3.2
 */
export class ReplayWindow {
  #newest = -1;
  /** Bits of the newest 32 packets, the newest in the lowest bit, and of the 32 before. */
  #recent = 0;
  #older = 0;

  /** Returns true if a packet with this index may be accepted. */
  isNew(index: number): boolean {
    const age = this.#newest - index;
    if (age < 0) return true;
    if (age >= windowPackets) return false;
    return age < 32 ? (this.#recent & (1 << age)) === 0 : (this.#older & (1 << (age - 32))) === 0;
  }

  /** Records an authentic packet. */
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
