import { describe, expect, it } from 'vitest';
import { fillDeep, fillTemplate } from '../../src/scripted/template.ts';

const match = /table for (?<people>\w+)(?: at (\w+))?/.exec('a table for four') ?? undefined;
const toolResult = { number: 17, free: false, note: null, table: { seats: [2, 4] }, text: '$1' };

describe('fillTemplate', () => {
  it.each([
    ['for $1', 'for four'],
    ['for $<people>, $<people>', 'for four, four'],
    ['$0!', 'table for four!'],
    ['at $2.', 'at .'],
    ['$9$<nobody>', ''],
    ['$10', 'four0'],
    ['{{result.number}} and {{ toolResult.number }}', '17 and 17'],
    ['{{result.free}}', 'false'],
    ['{{result.note}}', ''],
    ['{{result.table.seats.1}}', '4'],
    ['{{result.table.seats.length}}', '2'],
    ['{{result.table}}', '{"seats":[2,4]}'],
    ['{{result.missing.path}}', ''],
    ['{{result.number.toFixed}}', ''],
    ['{{result.constructor}}', ''],
    ['{{result.table.seats.map}}', ''],
    ['{{result.__proto__.constructor}}', ''],
    ['{{other}} {{result', '{{other}} {{result'],
    ['{{result.text}}', '$1'],
    ['$ 5 and $$', '$ 5 and $$'],
    ['', ''],
  ])('fills %j as %j', (template, filled) => {
    expect(fillTemplate(template, { match, toolResult })).toBe(filled);
  });

  it('leaves out values that are missing', () => {
    expect(fillTemplate('[$1$<people>{{result}}{{result.x}}]', {})).toBe('[]');
  });

  it('says a result that is not JSON as it is', () => {
    expect(fillTemplate('It is {{result}}.', { toolResult: 'done' })).toBe('It is done.');
  });
});

describe('fillDeep', () => {
  it('fills the strings inside lists and objects, and keeps other values and keys', () => {
    const value = { $1: ['$1', 3, null, { deep: '{{result.number}}' }], flag: true };
    expect(fillDeep(value, { match, toolResult })).toEqual({ $1: ['four', 3, null, { deep: '17' }], flag: true });
  });
});
