import { stringify } from 'csv-stringify/sync';
import type { CallRecord } from '../../domain/calls/call.ts';
import type { LeadRecord } from '../../domain/campaigns/lead.ts';
import { RequestError } from '../../errors.ts';
import type { Cursor } from '../../ports/storage/collection.ts';
import type { Records } from '../../ports/storage/records.ts';

const pageSize = 500;
/** Maximum columns of variables. Spreadsheets take 16,384; with more than 1,000, values were used as names. */
const maxVariables = 1_000;

const columns = [
  'phone_number',
  'name',
  'status',
  'attempts',
  'last_end_reason',
  'status_reason',
  'call_id',
  'duration_seconds',
  'summary',
] as const;

interface Survey {
  /** Names of all variables, in order of first appearance. */
  readonly variables: readonly string[];
  /** Cursor of the last lead. */
  readonly last: Cursor | null;
}

/**
 * Collects the variables of a campaign's leads, which the header needs before the first row.
 * @throws RequestError 422 `too_many_variables`
 */
export async function surveyLeads(
  { leads }: Pick<Records, 'leads'>,
  orgId: string,
  campaignId: string,
): Promise<Survey> {
  const variables = new Set<string>();
  let last: Cursor | null = null;
  for await (const page of pages({ leads }, orgId, campaignId)) {
    for (const lead of page) {
      for (const [name, value] of Object.entries(lead.variables)) {
        // An import stores `name` both as the name of the lead and as a variable.
        if (name !== 'name' || value !== lead.name) variables.add(name);
      }
      last = lead;
    }
    if (variables.size > maxVariables) {
      const message = `The leads have more than ${maxVariables} different variables: too many for a table.`;
      throw new RequestError(422, 'too_many_variables', message);
    }
  }
  return { variables: [...variables], last };
}

/**
 * Yields the surveyed leads with their last calls as CSV: a header, then a row per lead, oldest first. UTF-8 with a
 * byte-order mark, by which spreadsheets detect the encoding. Reads nothing ahead.
 * @see RFC 4180
 */
export async function* writeLeads(
  records: Pick<Records, 'leads' | 'calls'>,
  orgId: string,
  campaignId: string,
  { variables, last }: Survey,
): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(toCsv([[...columns, ...variableHeaders(variables)]], { bom: true }));
  for await (const page of pages(records, orgId, campaignId)) {
    const leads = last === null ? [] : page.filter((lead) => !isBehind(lead, last));
    const calls = await lastCalls(records, orgId, leads);
    const rows = leads.map((lead) => toRow(lead, calls.get(lead.call_id ?? ''), variables));
    if (rows.length > 0) yield Buffer.from(toCsv(rows, { bom: false }));
    if (leads.length < page.length) return;
  }
}

async function* pages(
  { leads }: Pick<Records, 'leads'>,
  orgId: string,
  campaignId: string,
): AsyncGenerator<LeadRecord[], void, void> {
  let after: Cursor | null = null;
  for (;;) {
    const page: LeadRecord[] = await leads.list(orgId, {
      where: { campaign_id: campaignId },
      order: 'oldest',
      limit: pageSize,
      ...(after === null ? {} : { after }),
    });
    if (page.length > 0) yield page;
    after = page.at(-1) ?? null;
    if (after === null || page.length < pageSize) return;
  }
}

function isBehind(lead: Cursor, last: Cursor): boolean {
  return lead.created_at === last.created_at ? lead.id > last.id : lead.created_at > last.created_at;
}

async function lastCalls(
  { calls }: Pick<Records, 'calls'>,
  orgId: string,
  leads: readonly LeadRecord[],
): Promise<Map<string, CallRecord>> {
  const ids = leads.flatMap(({ call_id: id }) => (id === null ? [] : [id]));
  if (ids.length === 0) return new Map();
  const found = await calls.list(orgId, { where: { id: { in: ids } }, limit: ids.length });
  return new Map(found.map((call) => [call.id, call]));
}

/** Returns the columns of the variables, renamed if they collide with a fixed column. */
function variableHeaders(variables: readonly string[]): string[] {
  const taken = new Set<string>([...columns, ...variables]);
  return variables.map((name) => {
    let header = name;
    if (columns.some((column) => column === name)) {
      do header = `variables.${header}`;
      while (taken.has(header));
    }
    return asText(header);
  });
}

function toRow(lead: LeadRecord, call: CallRecord | undefined, variables: readonly string[]): (string | number)[] {
  return [
    lead.phone_number,
    asText(lead.name),
    lead.status,
    lead.attempts,
    asText(lead.last_end_reason),
    asText(lead.status_reason),
    lead.call_id ?? '',
    call?.duration_seconds ?? '',
    asText(call?.summary),
    ...variables.map((name) => toCell(Object.hasOwn(lead.variables, name) ? lead.variables[name] : null)),
  ];
}

function toCell(value: unknown): string {
  if (typeof value === 'string') return asText(value);
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/**
 * Escapes text that spreadsheets would evaluate as a formula, which could leak other cells. Phone numbers are safe.
 * @see OWASP, CSV Injection
 */
function asText(text: string | null | undefined): string {
  if (!text) return '';
  return /^[=+\-@＝＋－＠\t\r\n]/.test(text) && !/^\+\d{3,15}$/.test(text) ? `'${text}` : text;
}

function toCsv(rows: readonly (readonly unknown[])[], { bom }: { readonly bom: boolean }): string {
  // Quotes line breaks of any kind, including those that do not end rows here.
  return stringify([...rows], { bom, record_delimiter: 'windows', quote_record_delimiter: true });
}
