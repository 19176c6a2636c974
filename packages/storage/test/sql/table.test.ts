import { JsonText } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { valueIn } from '../../src/sql/table.ts';
import { tableOf } from '../support/compiled.ts';

const calls = tableOf('calls');
const encoded = (field: string, value: unknown): unknown => calls.column(field).encode(value);

describe('Table', () => {
  it.each([
    ['agents', 'org_id'],
    ['organizations', 'id'],
  ] as const)('knows the column with the owner of %s', (name, owner) => {
    expect(tableOf(name).owner).toBe(owner);
  });

  it('refuses an unknown column, by name', () => {
    expect(() => calls.column('nothing')).toThrow('The records of calls have no field nothing.');
    expect(() => calls.column('constructor')).toThrow(TypeError);
  });

  it('returns the changed columns without those that never change, and without undefined values', () => {
    const changes = { id: 'x', created_at: 'x', status: 'ended', agent_id: null, end_reason: undefined, nothing: 1 };
    expect(
      calls
        .changed(changes)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['agent_id', 'status']);
  });

  it('returns changed columns in the order of the table, so that one statement serves all orders', () => {
    const names = (changes: object) => calls.changed(changes).map(({ name }) => name);
    expect(names({ status: 'ended', agent_id: 'a' })).toEqual(names({ agent_id: 'a', status: 'ended' }));
  });
});

describe('the values of columns', () => {
  it.each([
    ['null', 'agent_id', null, null],
    ['undefined', 'agent_id', undefined, null],
    ['a number', 'duration_seconds', 5, 5],
    ['a text', 'end_reason', 'done', 'done'],
    ['a text with a character that no database stores', 'end_reason', 'a\u0000b', 'a\ufffdb'],
    ['half of a pair of surrogates', 'end_reason', 'a\ud800', 'a\ufffd'],
    ['an object as JSON', 'latency', { a: 1 }, '{"a":1}'],
    ['JSON null', 'latency', null, null],
    ['JSON of a text that is serialized already', 'messages', new JsonText('[{"content":"x"}]'), '[{"content":"x"}]'],
    ['JSON with a character that no database stores', 'messages', [{ content: '\u0000' }], '[{"content":"\ufffd"}]'],
    ['JSON with half of a pair', 'messages', [{ content: '\udc00' }], '[{"content":"\ufffd"}]'],
    ['JSON with a whole pair', 'messages', [{ content: '😀' }], '[{"content":"😀"}]'],
    ['JSON with the letters of an escape', 'messages', [{ content: '\\u0000' }], '[{"content":"\\\\u0000"}]'],
  ])('write %s', (_name, field, value, expected) => {
    expect(encoded(field, value)).toEqual(expected);
  });
});

it('valueIn › reads a field by a name that is known at run time', () => {
  expect([valueIn({ a: 1 }, 'a'), valueIn({ a: 1 }, 'b')]).toEqual([1, undefined]);
});
