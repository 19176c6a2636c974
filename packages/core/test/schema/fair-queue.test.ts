import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../src/schema/fair-queue.ts';
import { schemaLimitFault } from '../../src/schema/schema-limits.ts';

describe('FairQueue', () => {
  function drained(queue: FairQueue<string>): string[] {
    const items: string[] = [];
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
    return items;
  }

  it('serves keys in turn, and the items of a key in order', () => {
    const queue = new FairQueue<string>(10);
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item.slice(0, 1), item);
    expect(drained(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('puts a key that comes back behind those that wait', () => {
    const queue = new FairQueue<string>(10);
    queue.push('a', 'a1');
    queue.push('b', 'b1');
    expect(queue.shift()).toBe('a1');
    queue.push('a', 'a2');
    expect(drained(queue)).toEqual(['b1', 'a2']);
  });

  it('limits the waiting items of a key, not those of others', () => {
    const queue = new FairQueue<string>(2);
    expect(['a1', 'a2', 'a3'].map((item) => queue.push('a', item))).toEqual([true, true, false]);
    expect(queue.push('b', 'b1')).toBe(true);
    queue.shift();
    expect(queue.push('a', 'a4')).toBe(true);
    expect(drained(queue)).toEqual(['b1', 'a2', 'a4']);
  });

  it('returns undefined when it is empty', () => {
    expect(new FairQueue<string>(1).shift()).toBeUndefined();
  });
});

describe('schemaLimitFault', () => {
  /** A schema whose innermost one is on this level. */
  function nested(levels: number): Record<string, unknown> {
    let schema: Record<string, unknown> = {};
    for (let level = 1; level < levels; level += 1) schema = { not: schema };
    return schema;
  }

  const many = (count: number, each: unknown): unknown[] => Array.from({ length: count }, () => each);

  it.each<[string, Record<string, unknown>]>([
    ['an empty schema', {}],
    ['64 levels', nested(64)],
    ['100 references within the schema', { allOf: many(100, { $ref: '#/$defs/a' }), $defs: { a: {} } }],
    ['100 patterns', { allOf: many(100, { pattern: 'a' }) }],
    ['a pattern of 1,000 characters', { pattern: 'a'.repeat(1_000) }],
    ['a property that is named $ref', { properties: { $ref: { type: 'string' } } }],
    ['100,000 characters', { description: 'a'.repeat(100_000 - '{"description":""}'.length) }],
  ])('accepts %s', (_case, schema) => {
    expect(schemaLimitFault(schema)).toBeNull();
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['65 levels', nested(65), 'is nested more than 64 levels deep'],
    ['levels without end', nested(50_000), 'is nested more than 64 levels deep'],
    ['101 references', { allOf: many(101, { $ref: '#' }) }, 'has more than 100 references'],
    ['101 patterns', { allOf: many(101, { pattern: 'a' }) }, 'has more than 100 patterns'],
    [
      'patterns of properties',
      { allOf: many(51, { patternProperties: { a: {}, b: {} } }) },
      'has more than 100 patterns',
    ],
    ['a long pattern', { items: { pattern: 'a'.repeat(1_001) } }, 'has a pattern of more than 1000 characters'],
    [
      'a long pattern of a property',
      { patternProperties: { ['a'.repeat(1_001)]: {} } },
      'has a pattern of more than 1000 characters',
    ],
    ['a reference to a document', { $ref: 'https://x.example/s' }, 'has a reference to another document'],
    ['a dynamic reference to one', { items: { $dynamicRef: 'other#a' } }, 'has a reference to another document'],
    [
      'more than 100,000 characters',
      { description: 'a'.repeat(100_001 - '{"description":""}'.length) },
      'is longer than 100000 characters',
    ],
  ])('refuses %s', (_case, schema, fault) => {
    expect(schemaLimitFault(schema)).toContain(fault);
  });
});
