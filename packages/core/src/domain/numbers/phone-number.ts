import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { z } from 'zod';
import { recordIdSchema } from '../records/record-id.ts';
import { plainE164 } from './e164-plans.ts';

/** An international number with a leading `+`, as in ITU-T E.164: at most 15 digits. */
export const e164Schema = z.string().regex(/^\+[1-9]\d{6,14}$/, 'expected E.164, such as +31201234567');

/** Maximum length of a number as written. */
export const maxWrittenLength = 100;

/**
 * Converts an international phone number, with `+` or with `00` instead, to E.164. Spaces, dots, dashes, slashes and
 * parentheses are ignored, also `(0)`. Returns null for other texts, also for national numbers: their country is
 * unknown.
 * @see ITU-T E.123 §7, ITU-T E.164
 * @example toE164('00 31 (0)20 123 4567'); // '+31201234567'; '020 123 4567' gives null
 */
export function toE164(text: string): string | null {
  const plain = plainE164(text);
  if (plain !== null) return plain;
  const international = text.trim().replace(/^00/, '+');
  // The library throws and catches an error for a number without a country.
  if (!/[+＋]/.test(international)) return null;
  const parsed = parsePhoneNumberFromString(international);
  return parsed?.isPossible() ? parsed.number : null;
}

/** Parses a written number into its stored form. */
export const phoneNumberInputSchema = z
  .string()
  .max(maxWrittenLength)
  .transform((text, context) => {
    const number = toE164(text);
    if (number !== null) return number;
    context.issues.push({
      code: 'custom',
      input: text,
      message: 'expected an international number in E.164, such as +31201234567',
      params: { code: 'invalid_phone_number' },
    });
    return z.NEVER;
  });

/** A phone number, as the API returns it. */
export const phoneNumberSchema = z.object({
  id: z.uuid(),
  number: e164Schema,
  /** The same value as `number`. */
  phone_number: e164Schema,
  name: z.string().nullable(),
  agent_id: z.uuid().nullable(),
  agent_name: z.string().nullable(),
  business_name: z.string().nullable(),
  transfer_trunk_id: z.uuid().nullable(),
  transfer_trunk_name: z.string().nullable(),
  is_active: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** A phone number, as the API returns it: with the names of its agent and transfer trunk. */
export type PhoneNumber = z.infer<typeof phoneNumberSchema>;

/** A number as stored. */
export type PhoneNumberRecord = Omit<
  PhoneNumber,
  'phone_number' | 'agent_name' | 'business_name' | 'transfer_trunk_name'
>;

const assignmentFields = {
  name: z.string().max(200).nullable(),
  agent_id: recordIdSchema.nullable(),
  transfer_trunk_id: recordIdSchema.nullable(),
  is_active: z.boolean(),
};

/** Body of `POST /numbers`. */
export const registerNumberSchema = z
  .strictObject({ phone_number: phoneNumberInputSchema, ...assignmentFields })
  .partial()
  .required({ phone_number: true });
/** Body of `PATCH /numbers/{id}`. */
export const updateNumberSchema = z.strictObject(assignmentFields).partial();

/** Body of `POST /numbers`. */
export type NewPhoneNumber = z.input<typeof registerNumberSchema>;
/** Body of `PATCH /numbers/{id}`. */
export type PhoneNumberChanges = z.input<typeof updateNumberSchema>;
