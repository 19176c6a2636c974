import { z } from 'zod';

export const apiKeySchema = z.object({
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

export type ApiKey = z.infer<typeof apiKeySchema>;
