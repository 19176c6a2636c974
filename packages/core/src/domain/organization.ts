import { z } from 'zod';

export const organizationSchema = z.object({
  id: z.uuid(),
  name: z.string().min(1),
  plan: z.string(),
  webhook_url: z.string().nullable(),
  webhook_secret: z.string().nullable(),
  created_at: z.iso.datetime(),
});

/** A tenant. Every other record belongs to one. */
export type Organization = z.infer<typeof organizationSchema>;
