import { paginationSchema } from '@va/core';
import { z } from 'zod';
import { component } from './components.ts';

const success = component('Success', z.object({ success: z.literal(true) }));

/** The response of a deletion. */
export const deletedSchema = success;

/** Returns the result of a deletion. */
export function deleted(): z.output<typeof success> {
  return { success: true };
}

component('Pagination', paginationSchema);

/** Describes `limit` and `offset` with the bounds of a list, for the OpenAPI document. */
export function pageQuery<Shape extends z.ZodRawShape>(
  page: { readonly defaultLimit: number; readonly maxLimit: number },
  filters: Shape,
): z.ZodObject<Shape & { limit: z.ZodOptional<z.ZodInt>; offset: z.ZodOptional<z.ZodInt> }> {
  const { defaultLimit, maxLimit } = page;
  const limit = z.int().min(1).max(maxLimit).optional().describe(`${defaultLimit} by default.`);
  const offset = z.int().min(0).max(2_147_483_647).optional().describe('0 by default.');
  return z.strictObject({ ...filters, limit, offset });
}

const instant = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).optional();

/** Describes a half-open range on `created_at`; an end given as a day includes that day. */
export const dateRange = {
  start_date: instant.describe(
    'Lower bound of `created_at`, inclusive: a date-time with a time zone, or a day in UTC.',
  ),
  end_date: instant.describe('Upper bound of `created_at`, exclusive; a day is included as a whole.'),
};

/** Query of a list that returns everything unless `limit` is given. */
export const wholeListQuery = pageQuery({ defaultLimit: 1_000, maxLimit: 1_000 }, {});
