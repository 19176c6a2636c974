import type { LeadRecord } from '../../domain/campaigns/lead.ts';

/**
 * What the placeholders of a campaign's call are filled with: the lead's variables, its name and its number. An empty text, such as
 * an empty cell of a CSV file, is as good as none.
 */
export function leadVariables({ variables, name, phone_number }: LeadRecord): Record<string, unknown> {
  const all = { ...variables, ...(name === null ? {} : { name }), phone_number };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => typeof value !== 'string' || value.trim() !== ''),
  );
}
