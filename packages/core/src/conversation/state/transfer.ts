import type { TransferMode } from '../../ports/telephony.ts';

/**
 * A transfer of the caller. The agent first finishes what it is saying; speech of the caller does not interrupt it, and
 * is answered if the transfer fails.
 */
export interface Transfer {
  readonly id: number;
  readonly destination: string;
  readonly mode: TransferMode;
  /** Keys to press once the destination has answered; null for none. */
  readonly keysOnAnswer: string | null;
  /** Id of the model's tool call; null if the transfer was requested over the API. */
  readonly callId: string | null;
  /** Summary for the transfer target. */
  readonly summary: string | null;
  /** The model's request that writes the summary, while it runs. */
  readonly briefing: { readonly generation: number; readonly text: string; readonly sinceMs: number } | null;
  /** Since when the agent has had nothing left to say. */
  readonly silentAtMs: number | null;
  /** Time at which the telephony started the transfer. */
  readonly startedAtMs: number | null;
}

/** Transfers of the conversation. */
export interface Transfers {
  readonly active: Transfer | null;
  /** Destination of the transfer that ended the conversation. */
  readonly completedTo: string | null;
}
