/**
 * Accepted sources of RTP. `latch`: the address and port of the SDP, and if a NAT explains it another source
 * that has proven itself; `strict`: the address and port of the SDP only.
 */
export type MediaSourceMode = 'latch' | 'strict';

/** Decides whose packets are accepted, and what is sent before the first one. Plain data for the media thread. */
export interface MediaTrust {
  readonly mode: MediaSourceMode;
  /** IP address that the peer's signalling comes from; null if unknown. */
  readonly signalling: string | null;
  /** True if the peer may be behind a NAT: its SDP names an address other than the one it sends from. */
  readonly isNatPlausible: boolean;
  /**
   * Audio that may be sent to the SDP's address before a packet has come from it. `limited`: a few seconds, so that a
   * call cannot be used to flood a third party; `withheld`: nothing, as the address cannot be reached from here.
   */
  readonly unheard: 'allowed' | 'limited' | 'withheld';
}
