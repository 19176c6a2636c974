/** Base values of all transaction timers. @see RFC 3261 §17.1.1.1 */
export interface SipTimers {
  /** T1: estimated round-trip time. */
  readonly t1Ms: number;
  /** T2: maximum interval between two retransmissions of a non-INVITE request or an INVITE response. */
  readonly t2Ms: number;
  /** T4: maximum time that a message stays in the network. */
  readonly t4Ms: number;
}

export const defaultTimers: SipTimers = { t1Ms: 500, t2Ms: 4_000, t4Ms: 5_000 };

/** Duration of a transaction: timers B, D, F, H, J, L and M. */
export function transactionLifeMs(timers: SipTimers): number {
  return 64 * timers.t1Ms;
}
