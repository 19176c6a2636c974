import { describe, expect, it } from 'vitest';
import { RequestError } from '../../../src/errors.ts';
import { parseCallQuery } from '../../../src/operations/calls/call-query.ts';
import { unknownId } from '../support.ts';

describe('the query for a list of calls', () => {
  it('defaults to the newest 100 calls', () => {
    const page = { limit: 100, offset: 0 };
    expect(parseCallQuery({})).toEqual({ filter: { where: {} }, page, isSearch: false });
  });

  it('accepts every filter', () => {
    const { filter, page } = parseCallQuery({
      limit: '1000',
      offset: '5',
      status: 'ended, failed',
      agent_id: unknownId,
      number_id: unknownId,
      campaign_id: unknownId,
      direction: 'inbound',
      phone: '+31 20 555 01 00',
      end_reason: 'user_hangup',
      q: 'Table for TWO!',
    });
    expect(page).toEqual({ limit: 1_000, offset: 5 });
    expect(filter).toEqual({
      where: {
        status: { in: ['ended', 'failed'] },
        agent_id: unknownId,
        number_id: unknownId,
        campaign_id: unknownId,
        direction: 'inbound',
        end_reason: 'user_hangup',
        messages: { words: ['table', 'for', 'two'] },
      },
      anyOf: [{ caller_phone: '+31205550100' }, { assistant_phone: '+31205550100' }],
    });
  });

  it.each([
    ['a day to its end', '2026-02-28', '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['an instant as it is', '2026-02-28T10:00:00Z', '2026-02-28T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
    ['another zone', '2026-02-28T00:30:00.5+02:00', '2026-02-27T22:30:00.500Z', '2026-02-27T22:30:00.500Z'],
  ])('accepts %s', (_name, date, gte, lt) => {
    const { filter } = parseCallQuery({ start_date: date, end_date: date });
    expect(filter).toEqual({ where: { created_at: { gte, lt } } });
  });

  it.each([
    ['+31205550100', '+31205550100'],
    [' 31205550100', '+31205550100'],
    ['alice', 'alice'],
  ])('converts the phone filter %j to %j', (phone, expected) => {
    expect(parseCallQuery({ phone }).filter.anyOf).toEqual([{ caller_phone: expected }, { assistant_phone: expected }]);
  });

  it.each([
    ['limit', ['0', '1001', '-1', '1.5', 'all', '', '1e2', '9'.repeat(400)]],
    ['offset', ['-1', 'x', '2147483648']],
    ['q', ['', ' !?', 'a b c d e f g h i', 'x'.repeat(101), 'y '.repeat(501)]],
    ['status', ['', 'ringing', 'ended,', 'ENDED']],
    [
      'start_date',
      ['yesterday', '2026-02-30', '2026-13-01', '2026-02-28T10:00:00', '0000-01-01', '9999-12-31', '2026-1-1'],
    ],
    ['end_date', ['', '10:00', '+010000-01-01T00:00:00Z']],
    ['agent_id', ['7', '']],
    ['direction', ['sideways']],
    ['phone', ['', ' ', 'x'.repeat(101), '\0']],
    ['end_reason', ['boredom']],
  ])('refuses an invalid %s', (name, values) => {
    for (const value of values) {
      const parse = (): unknown => parseCallQuery({ [name]: value });
      expect(parse, value).toThrow(RequestError);
      expect(parse, value).toThrow(expect.objectContaining({ faults: [expect.objectContaining({ path: name })] }));
    }
  });
});
