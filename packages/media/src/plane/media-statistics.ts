/** Network statistics of the media of a call. */
export interface MediaStatistics {
  /** Media from the far end to us. */
  readonly received: {
    readonly packets: number;
    readonly packetsLost: number;
    /** Late and duplicate packets. */
    readonly packetsDropped: number;
    /** Current interarrival jitter (RFC 3550 §6.4.1). */
    readonly jitterMs: number;
  };
  /** Media from us to the far end. Loss and jitter are those that the far end reports; null if unknown. */
  readonly sent: {
    readonly packets: number;
    readonly packetsLost: number | null;
    readonly jitterMs: number | null;
  };
  /** Round-trip time; null until a report of the far end allows measuring it. */
  readonly roundTripMs: number | null;
}
