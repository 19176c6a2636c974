/** Ratio of the steps between samples from which one byte order is surely right. */
const clearRatio = 2;

/**
 * 16-bit samples of Telnyx's L16. As RTP payloads they should have network byte order (RFC 3551 §4.5.11), but clients
 * of Telnyx assume both orders: the received audio tells. In the wrong order any sound is loud noise.
 */
export class L16Samples {
  #isBigEndian = true;
  #isKnown = false;

  /** Returns received audio with little-endian samples. May change the bytes. */
  read(audio: Buffer): Uint8Array {
    const samples = audio.subarray(0, audio.length & ~1);
    if (!this.#isKnown) this.#learn(samples);
    return this.#isBigEndian ? samples.swap16() : samples;
  }

  /** Returns a copy of little-endian samples, as they are sent. */
  write(frame: Uint8Array): Buffer {
    const audio = Buffer.from(frame);
    return this.#isBigEndian ? audio.swap16() : audio;
  }

  #learn(samples: Buffer): void {
    let big = 0;
    let little = 0;
    for (let at = 2; at < samples.length; at += 2) {
      big += Math.abs(samples.readInt16BE(at) - samples.readInt16BE(at - 2));
      little += Math.abs(samples.readInt16LE(at) - samples.readInt16LE(at - 2));
    }
    if (Math.max(big, little) < clearRatio * Math.min(big, little) || big === little) return;
    this.#isKnown = true;
    this.#isBigEndian = big < little;
  }
}
