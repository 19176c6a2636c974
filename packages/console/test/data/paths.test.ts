// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { changedFields, isSame, valueAt, withValueAt } from '../../src/app/data/paths.ts';

const agent = { name: 'Anna', llm: { tools: [{ url: 'a' }, { url: 'b' }], messages: [] }, limit: null };

describe('valueAt', () => {
  it.each([
    ['name', 'Anna'],
    ['llm.tools.1.url', 'b'],
    ['limit', null],
    ['limit.value', undefined],
    ['name.length', undefined],
    ['llm.tools.2.url', undefined],
    ['llm.tools.url', undefined],
    ['', undefined],
  ])('reads %j', (path, value) => {
    expect(valueAt(agent, path)).toEqual(value);
  });
});

describe('withValueAt', () => {
  it('replaces a nested value and leaves the original unchanged', () => {
    const before = structuredClone(agent);
    const after = withValueAt(agent, 'llm.tools.1.url', 'c');
    expect(after.llm).toEqual({ tools: [{ url: 'a' }, { url: 'c' }], messages: [] });
    expect(agent).toEqual(before);
    expect(valueAt(after, 'llm.messages')).toBe(agent.llm.messages);
  });

  it('creates missing objects, also in place of null', () => {
    expect(withValueAt({}, 'a.b.c', 1)).toEqual({ a: { b: { c: 1 } } });
    expect(withValueAt(agent, 'limit.minutes', 5).limit).toEqual({ minutes: 5 });
  });

  it('removes a field for undefined and keeps null, zero, false and empty text', () => {
    expect('name' in withValueAt(agent, 'name', undefined)).toBe(false);
    expect(withValueAt({ a: { b: 1, c: 2 } }, 'a.b', undefined)).toEqual({ a: { c: 2 } });
    for (const value of [null, 0, false, '']) expect(withValueAt({}, 'a', value)).toEqual({ a: value });
  });
});

describe('isSame', () => {
  it.each([
    [{ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [undefined, undefined, true],
    [{ a: null }, {}, false],
    [[1, 2], [2, 1], false],
    ['1', 1, false],
    [null, undefined, false],
    [[], {}, false],
  ])('compares %j with %j', (one, other, expected) => {
    expect(isSame(one, other)).toBe(expected);
    expect(isSame(other, one)).toBe(expected);
  });
});

it('changedFields › returns whole top-level fields that differ, and none that are only reordered', () => {
  const before = { name: 'Anna', llm: { a: 1, b: 2 }, old: 1 };
  expect(changedFields(before, { name: 'Anna', llm: { b: 2, a: 1 }, old: 1 })).toEqual({});
  expect(changedFields(before, { name: 'Bert', llm: { a: 1, b: 3 }, old: 1, added: null })).toEqual({
    name: 'Bert',
    llm: { a: 1, b: 3 },
    added: null,
  });
});

it.each([
  ['a text as null', { name: 'Anna' }, { name: null }],
  ['an object as null', { metadata: { a: 1 } }, { metadata: null }],
  ['a list as empty', { numbers: ['+31'] }, { numbers: [] }],
  ['nothing for a field that was null', { metadata: null }, {}],
  ['nothing for a list that was empty', { numbers: [] }, {}],
])('changedFields › returns a cleared field: %s', (_, before, changes) => {
  expect(changedFields(before, {})).toEqual(changes);
});
