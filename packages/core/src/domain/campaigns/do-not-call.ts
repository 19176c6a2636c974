import { z } from 'zod';
import { phoneNumberInputSchema } from '../numbers/phone-number.ts';

/** An entry of the do-not-call list. */
export const doNotCallSchema = z.object({
  id: z.uuid(),
  /** E.164. */
  phone_number: z.string(),
  reason: z.string().nullable(),
  created_at: z.iso.datetime(),
});

/** A number that no campaign of the organization calls. */
export type DoNotCallEntry = z.infer<typeof doNotCallSchema>;

/** Body of `POST /do-not-call`. */
export const newDoNotCallSchema = z
  .strictObject({ phone_number: phoneNumberInputSchema, reason: z.string().trim().max(500).nullable() })
  .partial()
  .required({ phone_number: true });
/** Body of `POST /do-not-call`. */
export type NewDoNotCallEntry = z.input<typeof newDoNotCallSchema>;
