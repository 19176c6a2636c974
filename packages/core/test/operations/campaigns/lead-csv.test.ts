import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newLeadSchema } from '../../../src/domain/campaigns/lead.ts';
import { parseInput } from '../../../src/input/parse-input.ts';
import { type LeadRow, readLeadRows } from '../../../src/operations/campaigns/lead-csv.ts';
import { readWrittenLead } from '../../../src/operations/campaigns/written-lead.ts';
import { refusal } from '../support.ts';

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

async function rowsOf(file: string | Uint8Array, { size = 1e6, maxRows = 100 } = {}): Promise<LeadRow[]> {
  const rows: LeadRow[] = [];
  for await (const read of readLeadRows(chunksOf(Buffer.from(file), size), maxRows)) rows.push(...read);
  return rows;
}

const numbersOf = (rows: readonly LeadRow[]) =>
  rows.map((row) => ('lead' in row ? row.lead.phone_number : `fault ${row.index}`));

describe('the rows of a CSV file', () => {
  it('have the number, the name and all other columns as variables', async () => {
    expect(await rowsOf('name,phone_number, city \nAnn,+31612345678," Utrecht, NL"\n')).toEqual([
      {
        index: 0,
        lead: { phone_number: '+31612345678', name: 'Ann', variables: { name: 'Ann', city: ' Utrecht, NL' } },
      },
    ]);
  });

  it('have no name if its cell is empty', async () => {
    const [row] = await rowsOf('phone_number,name\n1,\n');
    expect(row).toEqual({ index: 0, lead: { phone_number: '1', variables: { name: '' } } });
  });

  it('may have a column that is named __proto__', async () => {
    const [row] = await rowsOf('phone_number,__proto__\n1,x\n');
    expect(row !== undefined && 'lead' in row && Object.entries(row.lead.variables)).toEqual([['__proto__', 'x']]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it.each([1, 2, 3, 7])('are the same in chunks of %i bytes', async (size) => {
    const file = '\ufeffphone_number,city\r\n1,"Zür""ich\r\nß"\r\n\r\n2,\u{1F600}\r\n3,last';
    expect(await rowsOf(file, { size })).toEqual(await rowsOf(file));
    expect(numbersOf(await rowsOf(file))).toEqual(['1', '2', '3']);
  });

  it('are faulty, and still counted, if they have more or fewer columns than the header', async () => {
    const rows = await rowsOf('phone_number,city\n1\n2,a\n3,a,b\n');
    expect(numbersOf(rows)).toEqual(['fault 0', '2', 'fault 2']);
    expect(rows[2]).toEqual({ index: 2, fault: 'the row has 3 columns, and the header 2' });
  });

  it('are none in a file with a header alone', async () => {
    expect(await rowsOf('phone_number\n')).toEqual([]);
  });

  it('are read up to the limit', async () => {
    expect(await rowsOf('phone_number\n1\n2\n', { maxRows: 2 })).toHaveLength(2);
    const error = await refusal(rowsOf('phone_number\n1\n2\n3\n', { maxRows: 2 }));
    expect([error.status, error.code, error.message]).toEqual([400, 'invalid_csv', 'The file has more than 2 rows.']);
  });

  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'The file is empty: it needs a header row with phone_number.'],
    ['no column phone_number', 'name,phone\nAnn,1\n', 'The header row has no column phone_number.'],
    ['a column twice', 'phone_number,a, a\n', 'The header row names the column "a" twice.'],
    ['a column without a name', 'phone_number,,a\n', 'The header row has a column without a name.'],
    ['201 columns', `phone_number,${Array.from({ length: 200 }, (_, n) => `c${n}`).join()}\n`, 'more than 200 columns'],
    ['another encoding', Buffer.from([...Buffer.from('phone_number,a\n1,'), 0xe9, 0x0a]), 'The file is not UTF-8.'],
    ['a character that is cut off', Buffer.from('phone_number\n1é').subarray(0, -1), 'The file is not UTF-8.'],
    ['a quote that is never closed', 'phone_number\n"1\n2\n', 'Quote'],
    ['a row of more than 100,000 characters', `phone_number,a\n1,${'x'.repeat(100_001)}\n`, 'Max Record Size'],
  ])('are refused with %s', async (_case, file, message) => {
    const error = await refusal(rowsOf(file));
    expect([error.status, error.code]).toEqual([400, 'invalid_csv']);
    expect(error.message).toContain(message);
  });
});

describe('readWrittenLead', () => {
  const texts = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('x'.repeat(201), 'a\0b', '  Ann '));
  const keys = fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.constantFrom('name', 'x'.repeat(101), 'a\0'));
  const phoneNumbers = fc.oneof(
    fc.constantFrom('+31612345678', '0031 6 1234 5678', '0612345678', ' +1 (212) 555-0100 ', `+3161${' '.repeat(99)}`),
    fc.string({ maxLength: 20 }),
  );
  // As in a file, the name of a lead is one of its variables too.
  const leads = fc
    .record({
      phone_number: phoneNumbers,
      variables: fc.dictionary(keys, texts, { maxKeys: 4, noNullPrototype: true }),
    })
    .map((lead) => ({ ...lead, ...(lead.variables.name && { name: lead.variables.name }) }));

  it('returns what the schema returns for a row, or leaves the row to the schema', () => {
    fc.assert(
      fc.property(leads, (written) => {
        const lead = readWrittenLead(written);
        if (lead !== null) expect(parseInput(newLeadSchema, written)).toEqual(lead);
      }),
    );
  });

  it.each([
    ['+31612345678', 'Ann'],
    ['0031612345678', undefined],
  ])('reads an ordinary row without the schema: %s %s', (phone_number, name) => {
    const lead = readWrittenLead({ phone_number, ...(name && { name }), variables: { city: 'Utrecht' } });
    expect(lead).toMatchObject({ phone_number: '+31612345678', variables: { city: 'Utrecht' } });
  });

  it.each([
    ['a national number', { phone_number: '0612345678', variables: {} }],
    ['a number of more than 100 characters', { phone_number: `+31612345678${' '.repeat(89)}`, variables: {} }],
    ['a name of 201 characters', { phone_number: '+31612345678', name: 'x'.repeat(201), variables: {} }],
    ['a variable with a name of 101', { phone_number: '+31612345678', variables: { ['x'.repeat(101)]: '' } }],
    ['U+0000 in a variable', { phone_number: '+31612345678', variables: { city: '\0' } }],
  ])('leaves a row to the schema with %s', async (_case, written) => {
    expect(readWrittenLead(written)).toBeNull();
    expect(await refusal((async () => parseInput(newLeadSchema, written))())).toMatchObject({ status: 400 });
  });
});
