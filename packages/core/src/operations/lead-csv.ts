import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { RequestError } from '../errors.ts';

const maxColumns = 200;
const maxRowLength = 100_000;

/** A row below the header, the first of which has the index 0: a lead as it is written, or what is wrong with the row. */
export type LeadRow = { readonly index: number } & ({ readonly lead: WrittenLead } | { readonly fault: string });

/** A lead as a file has it: all texts. */
export interface WrittenLead {
  readonly phone_number: string;
  readonly name?: string;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Reads leads from a CSV file as it comes in.
 * @see RFC 4180
 * @throws RequestError 400 `invalid_csv` where the file as a whole cannot be read, or has more than `maxRows` rows below the header
 */
export async function* readLeadRows(
  file: AsyncIterable<Uint8Array>,
  maxRows: number,
): AsyncGenerator<LeadRow, void, void> {
  const parser = parse({ bom: true, relax_column_count: true, skip_empty_lines: true, max_record_size: maxRowLength });
  const decoded = Readable.from(decodeUtf8(file));
  decoded.on('error', (error) => parser.destroy(error));
  decoded.pipe(parser);
  let header: readonly string[] | null = null;
  let index = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (header === null) {
        header = checkHeader(cells);
        continue;
      }
      if (index === maxRows) throw invalidCsv(`The file has more than ${maxRows} rows.`);
      yield toRow(header, cells, index);
      index += 1;
    }
  } catch (error) {
    if (error instanceof CsvError) throw invalidCsv(error.message);
    throw error;
  } finally {
    decoded.destroy();
    parser.destroy();
  }
  if (header === null) throw invalidCsv('The file is empty: it needs a header row with phone_number.');
}

function checkHeader(cells: readonly string[]): string[] {
  const header = cells.map((cell) => cell.trim());
  if (header.length > maxColumns) throw invalidCsv(`The file has more than ${maxColumns} columns.`);
  if (!header.includes('phone_number')) throw invalidCsv('The header row has no column phone_number.');
  const repeated = header.find((name, n) => header.indexOf(name) !== n);
  if (repeated !== undefined) throw invalidCsv(`The header row names the column ${JSON.stringify(repeated)} twice.`);
  if (header.includes('')) throw invalidCsv('The header row has a column without a name.');
  return header;
}

function toRow(header: readonly string[], cells: readonly string[], index: number): LeadRow {
  if (cells.length !== header.length) {
    return { index, fault: `the row has ${cells.length} columns, and the header ${header.length}` };
  }
  let phoneNumber = '';
  const entries: [name: string, cell: string][] = [];
  for (const [n, name] of header.entries()) {
    const cell = cells[n] ?? '';
    if (name === 'phone_number') phoneNumber = cell;
    else entries.push([name, cell]);
  }
  const variables = Object.fromEntries(entries);
  const { name } = variables;
  return { index, lead: { phone_number: phoneNumber, ...(name ? { name } : {}), variables } };
}

async function* decodeUtf8(file: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const bytes of file) yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw invalidCsv('The file is not UTF-8.');
    throw error;
  }
}

function invalidCsv(message: string): RequestError {
  return new RequestError(400, 'invalid_csv', message);
}
