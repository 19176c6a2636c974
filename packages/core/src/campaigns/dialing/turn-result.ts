/** Time of a campaign's next turn. */
export interface CampaignTurnResult {
  /** Null when there is nothing left to do. */
  readonly nextAtMs: number | null;
  /** True when the time is stored in the campaign already. */
  readonly isReleased: boolean;
}
