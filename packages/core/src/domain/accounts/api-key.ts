import { z } from 'zod';

const apiKeySchema = z.object({
  id: z.uuid(),
  org_id: z.uuid(),
  name: z.string(),
  scopes: z.array(z.string()),
  /** SHA-256 of the whole key, hex. The key itself is shown once and never stored. */
  hash: z.string().length(64),
  expires_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
});

/** An API key, as stored; the storage keeps its organization beside the record. */
export type ApiKeyRecord = Omit<z.infer<typeof apiKeySchema>, 'org_id'>;

/** An API key, as the API returns it: without its hash. */
export const shownApiKeySchema = apiKeySchema.omit({ hash: true });
/** An API key, as the API returns it: without its hash. */
export type ApiKey = z.infer<typeof shownApiKeySchema>;

/** Groups of operations for which read or write access can be granted. */
const scopeGroups = [
  'agents',
  'analysis-templates',
  'api-keys',
  'byok',
  'calls',
  'campaigns',
  'deployment',
  'domains',
  'numbers',
  'organizations',
  'tool-templates',
  'trunks',
  'usage',
  'voices',
  'webhooks',
] as const;

const scopeSchema = z
  .string()
  .refine(
    (scope) => scope === '*' || scopeGroups.some((group) => scope === `${group}:read` || scope === `${group}:write`),
    `expected *, or <group>:read or <group>:write with one of the groups ${scopeGroups.join(', ')}`,
  );

/** Body of `POST /api-keys`. */
export const newApiKeySchema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  /** Granted scopes, as `<group>:read` or `<group>:write`; `*` grants all. */
  scopes: z.array(scopeSchema).min(1).max(100).default(['*']),
  expires_at: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text).toISOString())
    // The range of years that all databases support.
    .refine((text) => text >= '1970' && text < '9999', 'expected a year from 1970 to 9998')
    .nullable()
    .default(null),
});
/** Body of `POST /api-keys`. */
export type NewApiKey = z.input<typeof newApiKeySchema>;
