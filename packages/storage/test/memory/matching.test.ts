import { collectionSchemas } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { exactValues, filterTest } from '../../src/memory/matching.ts';
import { decodeRecord, encode, toSomeValues, toValues, type Values } from '../../src/memory/row.ts';

const schema = collectionSchemas.find(({ name }) => name === 'calls');
if (schema === undefined) throw new Error('There are calls.');
const calls = schema;

const call: Values = {
  id: 'id',
  created_at: '2026-01-01T00:00:00.000Z',
  status: 'ended',
  agent_id: null,
  duration_seconds: 30,
  messages: JSON.stringify([{ role: 'user', content: 'The blue door, please.' }]),
};
const matches = (filter: object): boolean => filterTest(calls, filter)(call);

describe('filterTest', () => {
  it.each([
    ['no condition', {}, true],
    ['an equal value', { where: { status: 'ended' } }, true],
    ['another value', { where: { status: 'failed' } }, false],
    ['null', { where: { agent_id: null } }, true],
    ['null of a value', { where: { status: null } }, false],
    ['a list with the value', { where: { status: { in: ['failed', 'ended'] } } }, true],
    ['a list without the value', { where: { status: { in: ['failed'] } } }, false],
    ['an empty list', { where: { status: { in: [] } } }, false],
    ['a list with null', { where: { agent_id: { in: [null, 'a'] } } }, true],
    ['a lower bound that is the value', { where: { duration_seconds: { gte: 30 } } }, true],
    ['an upper bound that is the value', { where: { duration_seconds: { lt: 30 } } }, false],
    ['two bounds around the value', { where: { duration_seconds: { gte: 30, lt: 31 } } }, true],
    ['bounds of a field that is null', { where: { agent_id: { gte: 'a' } } }, false],
    ['no bounds of a field that is null', { where: { agent_id: {} } }, false],
    ['no bounds of a field with a value', { where: { status: {} } }, true],
    ['words of a text, the last one by its beginning', { where: { messages: { words: ['door', 'pleas'] } } }, true],
    ['a beginning that is not the last word', { where: { messages: { words: ['doo', 'please'] } } }, false],
    ['one of two alternatives', { anyOf: [{ status: 'failed' }, { agent_id: null }] }, true],
    ['none of two alternatives', { anyOf: [{ status: 'failed' }, { agent_id: 'a' }] }, false],
    ['no alternatives', { anyOf: [] }, true],
    [
      'an alternative, but not the condition of all',
      { where: { status: 'failed' }, anyOf: [{ agent_id: null }] },
      false,
    ],
  ])('decides on %s: %j is %j', (_name, filter, expected) => {
    expect(matches(filter)).toBe(expected);
  });

  it.each([
    ['an unknown field', { nothing: 1 }, 'The records of calls have no field nothing.'],
    ['undefined', { status: undefined }, 'status of calls is undefined'],
    ['a field that holds JSON', { latency: {} }, 'the field holds JSON'],
    ['words of a field that is not searched', { status: { words: ['a'] } }, 'expected { words } for searched texts'],
  ])('refuses a condition on %s', (_name, where, message) => {
    expect(() => matches({ where })).toThrow(message);
  });
});

describe('exactValues', () => {
  it('returns the fields that a filter fixes to one value', () => {
    const where = { status: 'ended', agent_id: null, direction: { in: ['inbound'] }, duration_seconds: { gte: 1 } };
    expect([...exactValues(calls, where)]).toEqual([['status', 'ended']]);
  });
});

describe('stored values', () => {
  const field = (name: string) => {
    const found = calls.fields.find((each) => each.name === name);
    if (found === undefined) throw new Error(`There is no field ${name}.`);
    return found;
  };

  it('are copies: JSON is kept as text', () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const values = toValues(calls, { id: 'id', created_at: call.created_at, ...{ messages } });
    messages.push({ role: 'assistant', content: 'Hi' });
    const record = decodeRecord<{ id: string; created_at: string; messages: unknown }>(calls, values);
    expect(record.messages).toEqual([{ role: 'user', content: 'Hello' }]);
  });

  it('are those of the given fields, without unknown ones', () => {
    expect(toSomeValues(calls, { status: 'ended', agent_id: null, end_reason: undefined, nothing: 1 })).toEqual({
      status: 'ended',
      agent_id: null,
    });
  });

  it('replace characters that PostgreSQL could not store', () => {
    expect(encode(field('end_reason'), 'a\u0000b')).toBe('a\ufffdb');
    expect(encode(field('messages'), [{ content: '\u0000' }])).toBe('[{"content":"\ufffd"}]');
  });

  it.each([[Symbol('a')], [() => 1], [5n]])('refuse %s, and name the field', (value) => {
    expect(() => encode(field('status'), value)).toThrow(`The field status cannot hold a ${typeof value}`);
  });
});
