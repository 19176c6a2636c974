import { z } from 'zod';
import { dialPolicySchema } from '../numbers/dial-policy.ts';

/** A tenant as stored. Every other record belongs to one. */
export const organizationRecordSchema = z.object({
  id: z.uuid(),
  name: z.string().min(1),
  plan: z.string(),
  /** Remaining minutes; null for unlimited. */
  minutes_balance: z.number().nullable(),
  /** Remaining credit in the currency of the service, from which the cost of calls is taken; null for unlimited. */
  credit_balance: z.number().nullable(),
  /**
   * True if the host approved the organization for its local voices and models. Effective on the plan `enterprise`
   * only.
   */
  local_models_approved: z.boolean(),
  /** Maximum concurrent calls; null for no limit but the deployment's. */
  concurrency_limit: z.int().nullable(),
  /** Allowed destinations of calls and transfers; null for all but premium-rate numbers. */
  dial_policy: dialPolicySchema.nullable(),
  /** Days after which the content of a call is erased; null keeps it. */
  content_retention_days: z.int().nullable(),
  /** Days after which the record of a call is deleted; null keeps it. */
  metadata_retention_days: z.int().nullable(),
  webhook_url: z.string().nullable(),
  webhook_secret: z.string().nullable(),
  /** The previous secret, which signs beside the new one during its grace period. */
  webhook_previous_secret: z.string().nullable(),
  webhook_previous_secret_expires_at: z.iso.datetime().nullable(),
  /** Vault id of the key that seals the secrets in the organization's records; null until there is one. */
  sealing_key_id: z.uuid().nullable(),
  created_at: z.iso.datetime(),
});

/** An organization, as stored. */
export type OrganizationRecord = z.infer<typeof organizationRecordSchema>;

/** An organization, as the API returns it. */
export const organizationSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  plan: z.string(),
  minutes_balance: z.number().nullable(),
  /** Remaining credit in the currency of the service; null for unlimited. */
  credit_balance: z.number().nullable(),
  /** Minutes of calls that ended in the current calendar month, UTC. */
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
