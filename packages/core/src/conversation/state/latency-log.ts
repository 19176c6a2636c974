import type { TurnLatency } from '../../domain/calls/call.ts';

/** Measured latencies of a conversation. */
export interface LatencyLog {
  /** One per turn of the caller that was answered. */
  readonly turns: readonly TurnLatency[];
  /** For each interruption, how long the caller had spoken when the agent fell silent. */
  readonly interruptionsMs: readonly number[];
}
