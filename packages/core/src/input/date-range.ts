import { z } from 'zod';

const dayMs = 86_400_000;

/** A day in UTC or an instant, within the years that all databases support. */
const dateSchema = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], 'expected YYYY-MM-DD or an ISO 8601 date-time with a zone')
  .refine((text) => text >= '1970-01-02' && text < '9999', 'expected a year from 1970 to 9998');

type DateField = z.ZodOptional<typeof dateSchema>;

/** `start_date` and `end_date` of a list, on `created_at`; half-open, but an end that is a day includes that day. */
export const dateRangeFields: { readonly start_date: DateField; readonly end_date: DateField } = {
  start_date: dateSchema.optional(),
  end_date: dateSchema.optional(),
};

/** Returns the condition on `created_at`; undefined if neither bound is given. */
export function createdWithin(written: {
  start_date?: string | undefined;
  end_date?: string | undefined;
}): { gte?: string; lt?: string } | undefined {
  const { start_date: start, end_date: end } = written;
  if (start === undefined && end === undefined) return undefined;
  return {
    ...(start === undefined ? {} : { gte: toInstant(start, 0) }),
    ...(end === undefined ? {} : { lt: toInstant(end, dayMs) }),
  };
}

/** Returns the start of a day, moved by `dayOffsetMs`; an instant unchanged. */
function toInstant(text: string, dayOffsetMs: number): string {
  const isDay = text.length === 'YYYY-MM-DD'.length;
  return new Date(Date.parse(text) + (isDay ? dayOffsetMs : 0)).toISOString();
}
