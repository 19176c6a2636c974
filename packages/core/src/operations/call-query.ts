import { z } from 'zod';
import { callDirections, callStatuses, endReasons } from '../domain/call.ts';
import { toE164 } from '../domain/phone-number.ts';
import type { CallFilter, Page } from '../ports/storage.ts';
import { given } from './given.ts';
import { pageFields } from './page-query.ts';
import { parseInput } from './parse-input.ts';

const dayMs = 86_400_000;

/** A day (in UTC) or an instant. Databases agree on the years between. */
const dateSchema = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], 'expected YYYY-MM-DD or an ISO 8601 date-time with a zone')
  .refine((text) => text >= '1970-01-02' && text < '9999', 'expected a year from 1970 to 9998');

const statusListSchema = z.string().transform((text, context) => {
  const written = text.split(',').map((status) => status.trim());
  const known = callStatuses.filter((status) => written.includes(status));
  if (written.every((status) => known.some((one) => one === status))) return known;
  context.issues.push({ code: 'custom', input: text, message: `expected one or more of ${callStatuses.join(', ')}` });
  return z.NEVER;
});

const callQuerySchema = z
  .strictObject({
    ...pageFields,
    status: statusListSchema,
    start_date: dateSchema,
    end_date: dateSchema,
    agent_id: z.uuid(),
    number_id: z.uuid(),
    campaign_id: z.uuid(),
    direction: z.enum(callDirections),
    phone: z.string().trim().min(1).max(100),
    end_reason: z.enum(endReasons),
  })
  .partial();

/** Filter and page of a list of calls, from a query's texts. Throws a `RequestError` 400. */
export function parseCallQuery(query: unknown): { filter: CallFilter; page: Page } {
  const { limit = 100, offset = 0, ...written } = parseInput(callQuerySchema, query);
  const filter = given({
    statuses: written.status,
    createdFrom: written.start_date === undefined ? undefined : toInstant(written.start_date, 0),
    createdBefore: written.end_date === undefined ? undefined : toInstant(written.end_date, dayMs),
    agentId: written.agent_id,
    numberId: written.number_id,
    campaignId: written.campaign_id,
    direction: written.direction,
    phone: written.phone === undefined ? undefined : toNumber(written.phone),
    endReason: written.end_reason,
  });
  return { filter, page: { limit, offset } };
}

/** A day's start, moved by `dayOffsetMs`; an instant as it is. */
function toInstant(text: string, dayOffsetMs: number): string {
  const isDay = text.length === 'YYYY-MM-DD'.length;
  return new Date(Date.parse(text) + (isDay ? dayOffsetMs : 0)).toISOString();
}

/** A `+` that was not percent-encoded arrives as a space, which the schema has trimmed. */
function toNumber(text: string): string {
  return toE164(text) ?? toE164(`+${text}`) ?? text;
}
