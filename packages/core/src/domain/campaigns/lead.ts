import { z } from 'zod';
import { phoneNumberInputSchema } from '../numbers/phone-number.ts';

export const leadStatuses = ['pending', 'calling', 'completed', 'failed', 'skipped'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

export const leadSchema = z.object({
  id: z.uuid(),
  campaign_id: z.uuid(),
  /** E.164. */
  phone_number: z.string(),
  name: z.string().nullable(),
  variables: z.record(z.string(), z.unknown()),
  status: z.enum(leadStatuses),
  call_id: z.uuid().nullable(),
  attempts: z.int(),
  last_attempt_at: z.iso.datetime().nullable(),
  next_attempt_at: z.iso.datetime().nullable(),
  /** How its last call ended, or why it is skipped: `missing_variable`, `do_not_call`. */
  last_end_reason: z.string().nullable(),
  /** In words, why it is skipped or was not called yet. */
  status_reason: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** Someone a campaign calls. */
export type Lead = z.infer<typeof leadSchema>;

/**
 * A lead as it is stored. `unique_number` is its number where the campaign may have it once, and null for a further
 * lead of the same number that was asked for; `dial_failures` counts the calls that the trunk could not place and that
 * are not among its attempts.
 */
export type LeadRecord = Lead & { unique_number: string | null; dial_failures: number };

export const maxNameLength = 200;
export const maxVariableNameLength = 100;

export const newLeadSchema = z
  .strictObject({
    phone_number: phoneNumberInputSchema,
    name: z.string().trim().max(maxNameLength).nullable(),
    variables: z.record(z.string().min(1).max(maxVariableNameLength), z.unknown()),
  })
  .partial()
  .required({ phone_number: true });
export type NewLead = z.input<typeof newLeadSchema>;

export const duplicatePolicies = ['skip', 'allow', 'error'] as const;

export const bulkLeadsSchema = z
  .strictObject({ leads: z.array(z.unknown()).min(1).max(1_000), on_duplicate: z.enum(duplicatePolicies) })
  .partial()
  .required({ leads: true });
/** The schema takes any list: each lead is validated by itself, and reported by its index. */
export type BulkLeads = Omit<z.input<typeof bulkLeadsSchema>, 'leads'> & { leads: readonly NewLead[] };

export const bulkResultSchema = z.object({
  created: z.int(),
  skipped: z.int(),
  failed: z.int(),
  errors: z.array(
    z.object({
      /** Of the lead in the list, or of the row below the header: the first is 0. */
      index: z.int(),
      phone_number: z.string().nullable(),
      code: z.string(),
      message: z.string(),
    }),
  ),
});
export type BulkResult = z.infer<typeof bulkResultSchema>;
