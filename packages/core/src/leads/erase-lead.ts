import type { CallRecord } from '../domain/calls/call.ts';
import type { Records } from '../ports/storage/records.ts';

const over = { in: ['completed', 'failed', 'skipped'] as const };

/**
 * Erases the content of a call from its lead: the name and variables and, if nothing of the call remains, when and how
 * it ended. The number stays, because the lead would be called again without it. A lead that is to be called again
 * keeps what the next call needs; a lead called since belongs to that later call.
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
