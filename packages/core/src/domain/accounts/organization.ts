import { z } from 'zod';
import { dialPolicySchema } from '../numbers/dial-policy.ts';

/** A tenant as it is stored. Every other record belongs to one. */
export const organizationRecordSchema = z.object({
  id: z.uuid(),
  name: z.string().min(1),
  plan: z.string(),
  /** Minutes that may still be used; null is unlimited. */
  minutes_balance: z.number().nullable(),
  /**
   * Whether the host has approved the organization for the voices and models it runs itself. Counts on the plan
   * `enterprise` alone.
   */
  local_models_approved: z.boolean(),
  /** Calls at once; null is no limit but the deployment's. */
  concurrency_limit: z.int().nullable(),
  /** Destinations of calls and transfers; null for all but premium-rate numbers. */
  dial_policy: dialPolicySchema.nullable(),
  /** After so many days, what was said in a call is erased, with all that was made of it; null keeps it. */
  content_retention_days: z.int().nullable(),
  /** After so many days the record of a call goes too; null keeps it. */
  metadata_retention_days: z.int().nullable(),
  webhook_url: z.string().nullable(),
  webhook_secret: z.string().nullable(),
  /** Signs beside the new one while it is in its grace. */
  webhook_previous_secret: z.string().nullable(),
  webhook_previous_secret_expires_at: z.iso.datetime().nullable(),
  /** The vault's id of the key that secrets in the organization's records are sealed with; null until there is one. */
  sealing_key_id: z.uuid().nullable(),
  created_at: z.iso.datetime(),
});

export type OrganizationRecord = z.infer<typeof organizationRecordSchema>;

export const organizationSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  plan: z.string(),
  minutes_balance: z.number().nullable(),
  /** Minutes of the calls that ended in the current calendar month, UTC. */
  monthly_usage_minutes: z.number(),
  active_numbers: z.int(),
  active_agents: z.int(),
  active_calls: z.int(),
  has_local_models_access: z.boolean(),
  concurrency: z.object({ limit: z.int().nullable(), active: z.int() }),
  webhook_url: z.string().nullable(),
  created_at: z.iso.datetime(),
});

/** A tenant as the API shows it. */
export type Organization = z.infer<typeof organizationSchema>;
