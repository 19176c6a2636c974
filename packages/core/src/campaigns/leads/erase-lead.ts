import type { CallRecord } from '../../domain/calls/call.ts';
import type { Records } from '../../ports/storage/records.ts';

const over = { in: ['completed', 'failed', 'skipped'] as const };

/**
 * Takes from the lead of a call what belongs to the call, as that is erased: the name and the variables, of which it was told, and where
 * nothing remains of the call, when and how it ended too. The number stays, or it would be called again. A lead that is to be
 * called again keeps what the next call needs, and one that has been called since belongs to that call.
 */
export async function eraseLead(
  tx: Records,
  orgId: string,
  { id: callId, lead_id: leadId }: Pick<CallRecord, 'id' | 'lead_id'>,
  { remains, now }: { readonly remains: 'record' | 'nothing'; readonly now: string },
): Promise<void> {
  if (leadId === null) return;
  const content = { name: null, variables: {}, updated_at: now };
  const facts = { call_id: null, last_attempt_at: null, last_end_reason: null, status_reason: null };
  const changes = remains === 'record' ? content : { ...content, ...facts };
  const erased = await tx.leads.update(orgId, leadId, changes, { call_id: callId, status: over });
  if (erased === null && remains === 'nothing') {
    await tx.leads.update(orgId, leadId, { call_id: null, updated_at: now }, { call_id: callId, status: 'pending' });
  }
}
