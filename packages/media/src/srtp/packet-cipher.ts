/** Kind of packet. RTCP packets carry their index in four bytes, RTP packets do not. */
export type PacketKind = 'rtp' | 'rtcp';

/** Flag before the index of an encrypted RTCP packet. @see RFC 3711 §3.4 */
export const encryptedFlag = 0x80000000;
export const indexBytes = 4;

/**
 * Encrypts and authenticates packets of one kind and direction in place. The first `headerBytes` of a packet stay
 * readable. Source and index identify a packet within its key. The index is given in two parts: for RTP the roll-over
 * counter and the sequence number, for RTCP the upper 15 and the lower 16 bits.
 */
export interface PacketCipher {
  /** Bytes added to a packet. */
  readonly overheadBytes: number;
  /** Returns the new length; `bytes` must have room for it. */
  seal(bytes: Uint8Array, headerBytes: number, length: number, ssrc: number, high: number, low: number): number;
  /** Returns the length of the decrypted packet; −1 if it is not authentic, with undefined bytes. */
  open(bytes: Uint8Array, headerBytes: number, length: number, ssrc: number, high: number, low: number): number;
  /** Returns the position of the flag and index in an RTCP packet of this length. */
  indexAt(length: number): number;
}
