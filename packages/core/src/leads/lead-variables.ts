import type { LeadRecord } from '../domain/campaigns/lead.ts';

/**
 * Returns the values of the placeholders of a lead's call: its variables, name and number. Empty texts, such as empty
 * CSV cells, are left out.
 */
export function leadVariables({ variables, name, phone_number }: LeadRecord): Record<string, unknown> {
  const all = { ...variables, ...(name === null ? {} : { name }), phone_number };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => typeof value !== 'string' || value.trim() !== ''),
  );
}
