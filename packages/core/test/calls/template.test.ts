import { describe, expect, it } from 'vitest';
import { fillTemplate, missingVariables } from '../../src/calls/template.ts';

describe('fillTemplate', () => {
  it.each([
    ['Hi {{name}}!', 'Hi Ann!'],
    ['Hi {{ name }}!', 'Hi Ann!'],
    ['{{none|you}} {{none| you | me }}', 'you you | me'],
    ['{{none}}.', '.'],
    ['{{name|you}}', 'Ann'],
    ['{{{name}}}', '{Ann}'],
    ['{{a {{name}} b}}', '{{a Ann b}}'],
    ['{{na{me}} {{name}}', '{{na{me}} Ann'],
    ['{{name}', '{{name}'],
    ['{{}} {{ }} {{|x}}', '{{}} {{ }} {{|x}}'],
    ['{{name}}}}', 'Ann}}'],
    ['{{list}} {{zero}} {{toString}}', '[1] 0 '],
    ['{{braces}}', '{{name}}'],
  ])('fills %j', (text, filled) => {
    const variables = { name: 'Ann', none: null, list: [1], zero: 0, braces: '{{name}}' };
    expect(fillTemplate(text, variables)).toBe(filled);
  });

  it('limits the length of the result', () => {
    const filled = fillTemplate('{{long}}'.repeat(10_000), { long: 'x'.repeat(1_000_000) });
    expect(filled).toHaveLength(400_000);
  });
});

describe('missingVariables', () => {
  it('returns each variable without a value or default once', () => {
    expect(missingVariables('{{a}} {{a}} {{ b }} {{c|d}} {{e}}', { e: 1, b: null })).toEqual(['a', 'b']);
  });
});

// Security: templates of tenants were parsed in cubic time, so that 10,000 spaces blocked the process for minutes.
describe('a malicious template', () => {
  it.each([
    ['braces and spaces', `{{${' '.repeat(1_000_000)}`],
    ['many openings', '{{ '.repeat(300_000)],
    ['only closings', '}'.repeat(1_000_000)],
    ['only openings', '{'.repeat(1_000_000)],
    ['openings and bars', '{{a|'.repeat(250_000)],
    ['pairs that do not close', '{{a}'.repeat(250_000)],
  ])('with %s is returned unchanged, in linear time', (_, text) => {
    expect(fillTemplate(text, { a: 1 })).toBe(text);
    expect(missingVariables(text, {})).toEqual([]);
  });
});
