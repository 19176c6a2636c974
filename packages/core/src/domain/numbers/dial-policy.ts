import { z } from 'zod';

/** Destinations that an organization may call and transfer to. Set by the host. */
export const dialPolicySchema = z.strictObject({
  /** Prefixes of E.164 numbers, such as `+31`; null for all. With prefixes, SIP addresses are refused. */
  prefixes: z
    .array(z.string().regex(/^\+\d{1,15}$/, 'expected "+" and digits'))
    .max(500)
    .nullable(),
  /** True if premium-rate numbers are allowed. */
  premium_rate: z.boolean().default(false),
});

export type DialPolicy = z.infer<typeof dialPolicySchema>;
