/** Time of a campaign's next turn. */
export interface CampaignTurnResult {
  /** Null when there is nothing left to do. */
  readonly nextAtMs: number | null;
  /** True when the next look is stored already. */
  readonly isReleased: boolean;
}
