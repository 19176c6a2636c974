import type { SrtpAgreement } from './srtp-agreement.ts';
import { SrtpReceiver } from './srtp-receiver.ts';
import { SrtpSender } from './srtp-sender.ts';

function isSame(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Buffer.compare(a, b) === 0;
}

/** Encrypts and decrypts the packets of a call if that was negotiated; otherwise passes them through. */
export class StreamSecurity {
  #agreed: SrtpAgreement | null = null;
  #sender: SrtpSender | null = null;
  #receiver: SrtpReceiver | null = null;

  /**
   * Applies the negotiated keys; null ends encryption. A direction with the same key keeps its counters; a new key
   * starts new ones.
   */
  apply(agreed: SrtpAgreement | null): void {
    const before = this.#agreed;
    this.#agreed = agreed;
    if (agreed === null) {
      this.#sender = null;
      this.#receiver = null;
      return;
    }
    const { suite, localKey, remoteKey, remoteMkiBytes } = agreed;
    const sameSuite = before?.suite === suite;
    if (!sameSuite || !isSame(before?.localKey, localKey)) this.#sender = new SrtpSender(suite, localKey);
    if (!sameSuite || !isSame(before?.remoteKey, remoteKey)) {
      this.#receiver = new SrtpReceiver(suite, remoteKey, remoteMkiBytes);
    } else if (this.#receiver !== null && before?.remoteMkiBytes !== remoteMkiBytes) {
      this.#receiver.mkiBytes = remoteMkiBytes;
    }
  }

  /** Number of bytes that `protectRtp` needs free at the end of a packet. */
  get roomBytes(): number {
    return this.#sender?.rtpOverheadBytes ?? 0;
  }

  /** Encrypts a packet in place. The last `roomBytes` of `bytes` must be free. */
  protectRtp(bytes: Uint8Array): void {
    this.#sender?.protectRtp(bytes, bytes.length - this.roomBytes);
  }

  /** Returns null if the datagram is not authentic. */
  unprotectRtp(bytes: Uint8Array): Uint8Array | null {
    if (this.#receiver === null) return bytes;
    const length = this.#receiver.unprotectRtp(bytes);
    return length === -1 ? null : bytes.subarray(0, length);
  }

  protectRtcp(packet: Uint8Array): Uint8Array {
    return this.#sender?.protectRtcp(packet) ?? packet;
  }

  /** Returns null if the datagram is not authentic. */
  unprotectRtcp(bytes: Uint8Array): Uint8Array | null {
    if (this.#receiver === null) return bytes;
    const length = this.#receiver.unprotectRtcp(bytes);
    return length === -1 ? null : bytes.subarray(0, length);
  }
}
