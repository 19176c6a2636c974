import { z } from 'zod';
import { parseInput } from './parse-input.ts';

/** A page of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Returns the schema of an integer that may be given as text, as in a query string. */
export function integerInRange(min: number, max: number): z.ZodType<number, number | string> {
  const expected = `expected an integer from ${min} to ${max}`;
  const fromText = (written: unknown): unknown =>
    typeof written === 'string' && /^-?\d{1,15}$/.test(written) ? Number(written) : written;
  return z.preprocess(fromText, z.int(expected).min(min, expected).max(max, expected)) as z.ZodType<
    number,
    number | string
  >;
}

type IntegerField = z.ZodOptional<z.ZodType<number, number | string>>;

/** Returns the schemas of `limit` and `offset`. Values out of range are refused, not clamped. */
export function pageFields(maxLimit: number): { readonly limit: IntegerField; readonly offset: IntegerField } {
  return {
    limit: integerInRange(1, maxLimit).optional(),
    offset: integerInRange(0, 2_147_483_647).optional(),
  };
}

/** Query of a list that returns everything, up to 1,000 records, unless the caller asks for less. */
const pageQuerySchema = z.strictObject(pageFields(1_000));

/** Page of a list: `limit` 1 to 1,000, by default 1,000. */
export type PageQuery = z.input<typeof pageQuerySchema>;

export function parsePage(query: PageQuery): Page {
  const { limit = 1_000, offset = 0 } = parseInput(pageQuerySchema, query);
  return { limit, offset };
}
