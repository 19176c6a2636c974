import type { Records } from '../ports/storage/records.ts';

/** Takes an amount from the credit of an organization that has one. Belongs in the transaction that stores the cost. */
export async function chargeCredit(
  tx: Pick<Records, 'organizations'>,
  orgId: string,
  amount: number | null,
): Promise<void> {
  if (amount === null || amount === 0) return;
  await tx.organizations.increment(orgId, orgId, { credit_balance: -amount });
}
