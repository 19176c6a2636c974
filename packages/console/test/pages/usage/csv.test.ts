// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { toCsv } from '../../../src/app/pages/usage/csv.ts';

describe('the CSV of the usage page', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+31', "'+31"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['=HYPERLINK("https://example.com","a")', `"'=HYPERLINK(""https://example.com"",""a"")"`],
    ['a "b", c', '"a ""b"", c"'],
    ['two\nlines', '"two\nlines"'],
  ])('writes %j as text', (text, field) => {
    expect(toCsv([[text, -1.5, null]])).toBe(`${field},-1.5,\r\n`);
  });
});
