import { z } from 'zod';

/** Which destinations an organization may call and transfer to. The host sets it. */
export const dialPolicySchema = z.strictObject({
  /** Prefixes of E.164 numbers, such as `+31`; null for all. With prefixes, SIP addresses are refused. */
  prefixes: z
    .array(z.string().regex(/^\+\d{1,15}$/, 'expected "+" and digits'))
    .max(500)
    .nullable(),
  /** Whether premium-rate numbers are allowed. */
  premium_rate: z.boolean().default(false),
});

export type DialPolicy = z.infer<typeof dialPolicySchema>;
