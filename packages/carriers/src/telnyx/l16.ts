/** Ratio of sample-to-sample differences at which one byte order is certain. */
const clearRatio = 2;

/**
 * 16-bit samples of Telnyx's L16. RTP payloads have network byte order (RFC 3551 §4.5.11), but clients of Telnyx use
 * both orders, so the order is detected from received audio: in the wrong order any sound is loud noise.
 */
export class L16Samples {
  #isBigEndian = true;
  #isKnown = false;

  /** Returns received audio as little-endian samples. May modify the buffer. */
  read(audio: Buffer): Uint8Array {
    const samples = audio.subarray(0, audio.length & ~1);
    if (!this.#isKnown) this.#learn(samples);
    return this.#isBigEndian ? samples.swap16() : samples;
  }

  /** Returns a copy of little-endian samples in the detected byte order. */
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
