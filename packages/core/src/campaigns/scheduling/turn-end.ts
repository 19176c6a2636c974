/** When a campaign is to be looked at again after a turn. */
export interface TurnEnd {
  /** Null where there is nothing to do any more. */
  readonly nextAtMs: number | null;
  /** Whether the campaign waits until then already. */
  readonly isReleased: boolean;
}
