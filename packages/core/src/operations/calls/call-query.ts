import { z } from 'zod';
import { type Call, callDirections, callStatuses, endReasons } from '../../domain/calls/call.ts';
import { toE164 } from '../../domain/numbers/phone-number.ts';
import { recordIdSchema } from '../../domain/records/record-id.ts';
import { createdWithin, dateRangeFields } from '../../input/date-range.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { type Page, pageFields } from '../../input/page-query.ts';
import { parseInput } from '../../input/parse-input.ts';
import type { Filter } from '../../ports/storage/collection.ts';
import { wordsOf } from '../../records/words.ts';

const statusListSchema = z.string().transform((text, context) => {
  const written = text.split(',').map((status) => status.trim());
  const known = callStatuses.filter((status) => written.includes(status));
  if (written.every((status) => known.some((one) => one === status))) return known;
  context.issues.push({ code: 'custom', input: text, message: `expected one or more of ${callStatuses.join(', ')}` });
  return z.NEVER;
});

const maxWords = 8;
const maxWordLength = 100;

const wordsSchema = z
  .string()
  .max(1_000)
  .transform((text, context) => {
    const [first, ...others] = wordsOf(text);
    const isShort = [first, ...others].every((word) => word !== undefined && word.length <= maxWordLength);
    if (first !== undefined && others.length < maxWords && isShort) return [first, ...others] as const;
    const message = `expected one to ${maxWords} words of at most ${maxWordLength} characters`;
    context.issues.push({ code: 'custom', input: text, message });
    return z.NEVER;
  });

const callQuerySchema = z.strictObject({
  ...pageFields(1_000),
  ...dateRangeFields,
  /** One status, or several separated by commas. */
  status: statusListSchema.optional(),
  agent_id: recordIdSchema.optional(),
  number_id: recordIdSchema.optional(),
  campaign_id: recordIdSchema.optional(),
  publishable_key_id: recordIdSchema.optional(),
  direction: z.enum(callDirections).optional(),
  /** Number of either party. */
  phone: z.string().trim().min(1).max(100).optional(),
  end_reason: z.enum(endReasons).optional(),
  /** Words of the transcript. */
  q: wordsSchema.optional(),
});

/** Query of `GET /calls`. */
export type CallQuery = z.input<typeof callQuerySchema>;

/**
 * Parses a query into filter and page.
 * @throws RequestError 400
 */
export function parseCallQuery(query: CallQuery): { filter: Filter<Call>; page: Page; isSearch: boolean } {
  const written = parseInput(callQuerySchema, query);
  const { limit = 100, offset = 0, status, phone, agent_id, number_id, campaign_id, direction, end_reason } = written;
  const { publishable_key_id, q } = written;
  const where = omitUndefined({
    status: status === undefined ? undefined : { in: status },
    created_at: createdWithin(written),
    agent_id,
    number_id,
    campaign_id,
    publishable_key_id,
    direction,
    end_reason,
    messages: q === undefined ? undefined : { words: q },
  });
  const number = phone === undefined ? undefined : toNumber(phone);
  const anyOf = number === undefined ? {} : { anyOf: [{ caller_phone: number }, { assistant_phone: number }] };
  return { filter: { where, ...anyOf }, page: { limit, offset }, isSearch: q !== undefined };
}

/** Restores a `+` that was not percent-encoded: it arrives as a space, which the schema trims. */
function toNumber(text: string): string {
  return toE164(text) ?? toE164(`+${text}`) ?? text;
}
