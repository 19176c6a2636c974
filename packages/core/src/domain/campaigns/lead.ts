import { z } from 'zod';
import { phoneNumberInputSchema } from '../numbers/phone-number.ts';

/** States of a lead. */
export const leadStatuses = ['pending', 'calling', 'completed', 'failed', 'skipped'] as const;
/** State of a lead. */
export type LeadStatus = (typeof leadStatuses)[number];

/** A lead, as the API returns it. */
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
  /** End reason of its last call, or why it is skipped: `missing_variable`, `do_not_call`. */
  last_end_reason: z.string().nullable(),
  /** Readable reason why it is skipped or not called yet. */
  status_reason: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** A person to be called by a campaign. */
export type Lead = z.infer<typeof leadSchema>;

/**
 * A lead as stored. `unique_number` is its number if the campaign may contain it only once, and null for a duplicate
 * that was explicitly requested; `dial_failures` counts calls that the trunk could not place, which are not attempts.
 */
export type LeadRecord = Lead & { unique_number: string | null; dial_failures: number };

export const maxNameLength = 200;
export const maxVariableNameLength = 100;

/** Body of `POST /campaigns/{id}/leads`. */
export const newLeadSchema = z
  .strictObject({
    phone_number: phoneNumberInputSchema,
    name: z.string().trim().max(maxNameLength).nullable(),
    variables: z.record(z.string().min(1).max(maxVariableNameLength), z.unknown()),
  })
  .partial()
  .required({ phone_number: true });
/** Body of `POST /campaigns/{id}/leads`. */
export type NewLead = z.input<typeof newLeadSchema>;

/** Handling of a lead whose number the campaign already contains. */
export const duplicatePolicies = ['skip', 'allow', 'error'] as const;

/** Body of `POST /campaigns/{id}/leads/bulk`. */
export const bulkLeadsSchema = z
  .strictObject({ leads: z.array(z.unknown()).min(1).max(1_000), on_duplicate: z.enum(duplicatePolicies) })
  .partial()
  .required({ leads: true });
/** Body of `POST /campaigns/{id}/leads/bulk`. Each lead is validated separately, and faults are reported by index. */
export type BulkLeads = Omit<z.input<typeof bulkLeadsSchema>, 'leads'> & { leads: readonly NewLead[] };

/** Counts of the leads of a request that adds several. */
export const bulkResultSchema = z.object({
  created: z.int(),
  skipped: z.int(),
  failed: z.int(),
  errors: z.array(
    z.object({
      /** Index of the lead in the list, or of the row below the header, from 0. */
      index: z.int(),
      phone_number: z.string().nullable(),
      code: z.string(),
      message: z.string(),
    }),
  ),
});
/** Counts of the leads of a request that adds several. */
export type BulkResult = z.infer<typeof bulkResultSchema>;
