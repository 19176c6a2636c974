import type { EndReason } from '../../domain/calls/call.ts';

/** End of a conversation. */
export interface Ending {
  readonly reason: EndReason;
  /** Error message of an ending that is a failure. */
  readonly error: string | null;
}

export type Phase =
  /** Not answered yet. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'open' }
  /** The ending is decided; the agent finishes what it is saying. */
  | {
      readonly kind: 'closing';
      readonly ending: Ending;
      readonly sinceMs: number;
      readonly silentAtMs: number | null;
      /** Said once the agent has finished its sentence; null if nothing more is to be said. */
      readonly farewell: string | null;
    }
  | { readonly kind: 'closed'; readonly ending: Ending };

/** Delay between the last frame sent and the hang-up, in which the far end plays its buffer. */
export const hangupTailMs = 300;
/** Maximum duration of the closing phase, for a goodbye that never finishes. */
export const closingLimitMs = 30_000;
