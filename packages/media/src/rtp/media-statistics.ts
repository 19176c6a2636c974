/** How the media of a call went over the network. */
export interface MediaStatistics {
  /** From the far end to us. */
  readonly received: {
    readonly packets: number;
    readonly packetsLost: number;
    /** That came too late to be of use, or twice. */
    readonly packetsDropped: number;
    /** As RFC 3550 §6.4.1 defines it, at this moment. */
    readonly jitterMs: number;
  };
  /** From us to the far end. What it has never told is null. */
  readonly sent: {
    readonly packets: number;
    readonly packetsLost: number | null;
    readonly jitterMs: number | null;
  };
  /** From us to the far end and back; null where it sends no reports. */
  readonly roundTripMs: number | null;
}
