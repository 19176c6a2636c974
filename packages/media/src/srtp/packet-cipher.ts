/** RTP packets, or those of RTCP, which carry their index in four bytes at their end. */
export type PacketKind = 'rtp' | 'rtcp';

/** Before the index of an RTCP packet: that it is encrypted. @see RFC 3711 §3.4 */
export const encryptedFlag = 0x80000000;
export const indexBytes = 4;

/**
 * Encrypts and authenticates the packets of one kind and direction, in place. The first `headerBytes` of a packet stay
 * readable. A packet is told from every other of its key by its source and its index, given in two parts: for RTP the
 * roll-over counter and the sequence number, for RTCP the upper 15 and the lower 16 bits.
 */
export interface PacketCipher {
  /** How much longer a packet becomes. */
  readonly overheadBytes: number;
  /** Returns the new length; `bytes` has room for it. */
  seal(bytes: Uint8Array, headerBytes: number, length: number, ssrc: number, high: number, low: number): number;
  /** Returns the length of what was sealed; −1 when it is not authentic, and its bytes are worth nothing then. */
  open(bytes: Uint8Array, headerBytes: number, length: number, ssrc: number, high: number, low: number): number;
  /** Where an RTCP packet carries its flag and index. */
  indexAt(length: number): number;
}
