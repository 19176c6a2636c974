import { z } from 'zod';
import { recordIdSchema } from '../records/record-id.ts';

/** A publishable key, as the API returns it. */
export const publishableKeySchema = z.object({
  id: z.uuid(),
  org_id: z.uuid(),
  name: z.string(),
  /** The key itself. It is part of a page and thus no secret. */
  key: z.string(),
  /** Ids of the agents that pages may call. */
  agents: z.array(z.uuid()),
  /** Origins of the pages that may use the key. */
  origins: z.array(z.string()),
  /** Names of the variables that pages may set. */
  variables: z.array(z.string()),
  /** Calls that all pages together may begin within 60 s. */
  calls_per_minute: z.int(),
  /** Calls that one address (IPv6: one /64) may begin within a minute, in each process. */
  calls_per_minute_per_address: z.int(),
  /** Minutes of conversation within 24 hours. A call in progress counts with its maximum duration. */
  minutes_per_day: z.int(),
  /** Maximum duration of a call, in seconds; the agent's `max_duration_seconds` applies too. */
  max_call_seconds: z.int(),
  expires_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** A key for web calls that is part of a page. */
export type PublishableKey = z.infer<typeof publishableKeySchema>;

/** A publishable key, as stored; the storage keeps its organization beside the record. */
export type PublishableKeyRecord = Omit<PublishableKey, 'org_id'>;

const originSchema = z
  .string()
  .max(255)
  .refine(isCallableOrigin, 'expected an origin such as https://www.example.com; http is for localhost only');

/**
 * Returns true for an https origin, and for an http origin of the local host. Browsers give no microphone to pages of
 * other origins, and some of those send `Origin: null`.
 */
function isCallableOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  if (origin !== text || hostname.includes('*')) return false;
  if (protocol === 'https:') return true;
  return protocol === 'http:' && /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

const fields = {
  name: z.string().trim().min(1).max(200),
  agents: z.array(recordIdSchema).min(1).max(50),
  /** Exact origins, without wildcards. */
  origins: z.array(originSchema).min(1).max(50),
  variables: z.array(z.string().min(1).max(100)).max(50),
  calls_per_minute: z.int().min(1).max(1_000),
  calls_per_minute_per_address: z.int().min(1).max(1_000),
  minutes_per_day: z.int().min(1).max(100_000),
  max_call_seconds: z.int().min(30).max(43_200),
  expires_at: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text).toISOString())
    // The range of years that all databases support.
    .refine((text) => text >= '1970' && text < '9999', 'expected a year from 1970 to 9998')
    .nullable(),
};

/** Body of `POST /publishable-keys`. */
export const newPublishableKeySchema = z.strictObject({
  ...fields,
  variables: fields.variables.default([]),
  calls_per_minute: fields.calls_per_minute.default(10),
  calls_per_minute_per_address: fields.calls_per_minute_per_address.default(3),
  minutes_per_day: fields.minutes_per_day.default(60),
  max_call_seconds: fields.max_call_seconds.default(300),
  expires_at: fields.expires_at.default(null),
});
/** Body of `POST /publishable-keys`. */
export type NewPublishableKey = z.input<typeof newPublishableKeySchema>;

/** Body of `PATCH /publishable-keys/{id}`. */
export const publishableKeyChangesSchema = z.strictObject(fields).partial();
/** Body of `PATCH /publishable-keys/{id}`. */
export type PublishableKeyChanges = z.input<typeof publishableKeyChangesSchema>;
