/**
 * Accepted sources of RTP. `latch`: the address and port of the SDP, or another source under the conditions of
 * `SourceLatch`; `strict`: the address and port of the SDP only.
 */
export type MediaSourceMode = 'latch' | 'strict';

/**
 * Rules for the sources whose packets are accepted, and for sending before the first packet. Plain data for the media
 * thread.
 */
export interface MediaTrust {
  readonly mode: MediaSourceMode;
  /** IP address that the peer's signalling comes from; null if unknown. */
  readonly signalling: string | null;
  /** True if the peer may be behind a NAT: its SDP names an address other than the one it sends from. */
  readonly isNatPlausible: boolean;
  /**
   * Audio that may be sent to the SDP's address before a packet has come from it. `limited`: a few seconds, then a
   * packet per second, so that a call cannot be used to flood a third party; `withheld`: nothing, as the address cannot
   * be reached from here.
   */
  readonly unheard: 'allowed' | 'limited' | 'withheld';
}
