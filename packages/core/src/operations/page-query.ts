import { z } from 'zod';
import type { Page } from '../ports/storage.ts';
import { parseInput } from './parse-input.ts';

/** An integer, also in the text form that a query string has. */
function integerInRange(min: number, max: number): z.ZodType<number> {
  const expected = `expected an integer from ${min} to ${max}`;
  const fromText = (written: unknown): unknown =>
    typeof written === 'string' && /^-?\d{1,15}$/.test(written) ? Number(written) : written;
  return z.preprocess(fromText, z.int(expected).min(min, expected).max(max, expected)) as z.ZodType<number>;
}

/** `limit` and `offset` of a list; out of range is refused, never clamped. */
export const pageFields: {
  readonly limit: z.ZodOptional<z.ZodType<number>>;
  readonly offset: z.ZodOptional<z.ZodType<number>>;
} = {
  limit: integerInRange(1, 1_000).optional(),
  offset: integerInRange(0, 2_147_483_647).optional(),
};

const pageQuerySchema = z.strictObject(pageFields);

/** The page of a list that returns everything, up to 1,000 records, unless the caller asks for less. */
export function parsePage(query: unknown): Page {
  const { limit = 1_000, offset = 0 } = parseInput(pageQuerySchema, query);
  return { limit, offset };
}
