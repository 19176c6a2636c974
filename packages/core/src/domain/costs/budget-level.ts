/** Scope of a budget: the call's own, or the credit of its organization. */
export const budgetScopes = ['call', 'organization'] as const;
/** Scope of a budget: the call's own, or the credit of its organization. */
export type BudgetScope = (typeof budgetScopes)[number];

/** `warning` at a share of the budget; `reached` when it is used up, which ends the call. */
export const budgetLevels = ['warning', 'reached'] as const;
/** Level of a budget. */
export type BudgetLevel = (typeof budgetLevels)[number];

/** A budget that has reached a level. */
export interface BudgetStatus {
  readonly scope: BudgetScope;
  readonly level: BudgetLevel;
  /** Used so far, in the currency of the service. For an organization: by all live calls of this process. */
  readonly cost: number;
  /** The call's `max_cost`, or the organization's credit before these calls. */
  readonly limit: number;
}
