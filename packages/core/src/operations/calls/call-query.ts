import { z } from 'zod';
import { type Call, callDirections, callStatuses, endReasons } from '../../domain/calls/call.ts';
import { toE164 } from '../../domain/numbers/phone-number.ts';
import { recordIdSchema } from '../../domain/records/record-id.ts';
import { createdWithin, dateRangeFields } from '../../input/date-range.ts';
import { omitUndefined } from '../../input/omit-undefined.ts';
import { type Page, pageFields } from '../../input/page-query.ts';
import { parseInput } from '../../input/parse-input.ts';
import type { Filter } from '../../ports/storage/collection.ts';

const statusListSchema = z.string().transform((text, context) => {
  const written = text.split(',').map((status) => status.trim());
  const known = callStatuses.filter((status) => written.includes(status));
  if (written.every((status) => known.some((one) => one === status))) return known;
  context.issues.push({ code: 'custom', input: text, message: `expected one or more of ${callStatuses.join(', ')}` });
  return z.NEVER;
});

const callQuerySchema = z.strictObject({
  ...pageFields(1_000),
  ...dateRangeFields,
  /** One, or several with commas between them. */
  status: statusListSchema.optional(),
  agent_id: recordIdSchema.optional(),
  number_id: recordIdSchema.optional(),
  campaign_id: recordIdSchema.optional(),
  direction: z.enum(callDirections).optional(),
  /** Either party's number. */
  phone: z.string().trim().min(1).max(100).optional(),
  end_reason: z.enum(endReasons).optional(),
});

export type CallQuery = z.input<typeof callQuerySchema>;

/** Filter and page of a list of calls, from a query's texts. Throws a `RequestError` 400. */
export function parseCallQuery(query: CallQuery): { filter: Filter<Call>; page: Page } {
  const written = parseInput(callQuerySchema, query);
  const { limit = 100, offset = 0, status, phone, agent_id, number_id, campaign_id, direction, end_reason } = written;
  const where = omitUndefined({
    status: status === undefined ? undefined : { in: status },
    created_at: createdWithin(written),
    agent_id,
    number_id,
    campaign_id,
    direction,
    end_reason,
  });
  const number = phone === undefined ? undefined : toNumber(phone);
  const anyOf = number === undefined ? {} : { anyOf: [{ caller_phone: number }, { assistant_phone: number }] };
  return { filter: { where, ...anyOf }, page: { limit, offset } };
}

/** A `+` that was not percent-encoded arrives as a space, which the schema has trimmed. */
function toNumber(text: string): string {
  return toE164(text) ?? toE164(`+${text}`) ?? text;
}
