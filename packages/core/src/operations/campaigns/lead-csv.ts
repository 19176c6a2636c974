import { CsvError, type Parser, parse } from 'csv-parse';
import { RequestError } from '../../errors.ts';

const maxColumns = 200;
const maxRowLength = 100_000;

/** A row below the header, counted from 0: a lead as written, or the fault of the row. */
export type LeadRow = { readonly index: number } & ({ readonly lead: WrittenLead } | { readonly fault: string });

/** A lead with text values, as in a file. */
export interface WrittenLead {
  readonly phone_number: string;
  readonly name?: string;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Parses leads from a CSV stream: yields the rows completed by each chunk.
 * @see RFC 4180
 * @throws RequestError 400 `invalid_csv` if the file is not CSV, or has more than `maxRows` rows below the header
 */
export async function* readLeadRows(
  file: AsyncIterable<Uint8Array>,
  maxRows: number,
): AsyncGenerator<readonly LeadRow[], void, void> {
  const parser = parse({ bom: true, relax_column_count: true, skip_empty_lines: true, max_record_size: maxRowLength });
  // The error is read after each chunk.
  parser.on('error', () => {});
  const table = new LeadTable(maxRows);
  try {
    for await (const text of decodeUtf8(file)) {
      parser.write(text);
      yield table.take(whatIsRead(parser));
      if (parser.errored !== null) throw parser.errored;
    }
    parser.end();
    const last: string[][] = [];
    for await (const cells of parser) last.push(cells);
    yield table.take(last);
  } catch (error) {
    if (error instanceof CsvError) throw invalidCsv(error.message);
    throw error;
  } finally {
    parser.destroy();
  }
  if (!table.hasHeader) throw invalidCsv('The file is empty: it needs a header row with phone_number.');
}

function* whatIsRead(parser: Parser): Generator<string[], void, void> {
  for (;;) {
    const cells: string[] | null = parser.read();
    if (cells === null) return;
    yield cells;
  }
}

/** Converts CSV records to leads: the first record names the columns. */
class LeadTable {
  readonly #maxRows: number;
  #header: readonly string[] | null = null;
  #rows = 0;

  constructor(maxRows: number) {
    this.#maxRows = maxRows;
  }

  get hasHeader(): boolean {
    return this.#header !== null;
  }

  take(records: Iterable<string[]>): LeadRow[] {
    const rows: LeadRow[] = [];
    for (const cells of records) {
      if (this.#header === null) {
        this.#header = checkHeader(cells);
        continue;
      }
      if (this.#rows === this.#maxRows) throw invalidCsv(`The file has more than ${this.#maxRows} rows.`);
      rows.push(toRow(this.#header, cells, this.#rows));
      this.#rows += 1;
    }
    return rows;
  }
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
  const variables: Record<string, string> = {};
  for (let n = 0; n < header.length; n += 1) {
    const name = header[n] ?? '';
    const cell = cells[n] ?? '';
    if (name === 'phone_number') phoneNumber = cell;
    else if (name === '__proto__') Object.defineProperty(variables, name, { value: cell, ...ownField });
    else variables[name] = cell;
  }
  const { name } = variables;
  return { index, lead: { phone_number: phoneNumber, ...(name ? { name } : {}), variables } };
}

/** Descriptor of an ordinary property, for names such as `__proto__`. */
const ownField = { enumerable: true, configurable: true, writable: true };

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
