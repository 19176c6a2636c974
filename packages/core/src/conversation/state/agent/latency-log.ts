import type { TurnLatency } from '../../../domain/calls/call.ts';

/** Measured latencies of a conversation. */
export interface LatencyLog {
  /** One per turn of the caller that was answered. */
  readonly turns: readonly TurnLatency[];
  /** For each interruption, how long the caller had spoken when the agent fell silent. */
  readonly interruptionsMs: readonly number[];
  /** Number of replies prepared before the end of a turn, and of those that were used. */
  readonly prepared: { readonly made: number; readonly used: number };
}
