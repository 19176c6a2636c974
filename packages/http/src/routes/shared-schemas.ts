import { paginationSchema } from '@va/core';
import { z } from 'zod';
import { component } from './components.ts';

const success = component('Success', z.object({ success: z.literal(true) }));

/** What a deletion answers. */
export const deletedSchema = success;

export function deleted(): z.output<typeof success> {
  return { success: true };
}

component('Pagination', paginationSchema);

/** `limit` and `offset` with the bounds of a list. Describes: the operation parses. */
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

/** On `created_at`; half-open, but an end that is a day includes it. */
export const dateRange = {
  start_date: instant.describe('A date-time with a zone, or a day in UTC; on `created_at`.'),
  end_date: instant.describe('Not included; a day is, whole.'),
};

/** Of a list that returns everything unless the caller asks for less. */
export const wholeListQuery = pageQuery({ defaultLimit: 1_000, maxLimit: 1_000 }, {});
