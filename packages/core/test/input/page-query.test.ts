import { describe, expect, it } from 'vitest';
import { integerInRange, parsePage } from '../../src/input/page-query.ts';
import { faultsOf, refusal } from '../operations/support.ts';
import { untyped } from '../support/untyped.ts';

describe('integerInRange', () => {
  it.each([
    [1, 1],
    [10, 10],
    ['1', 1],
    ['010', 10],
  ])('reads %j as %i', (written, expected) => {
    expect(integerInRange(1, 10).parse(written)).toBe(expected);
  });

  it('reads a negative number in a text', () => {
    expect(integerInRange(-5, 5).parse('-5')).toBe(-5);
  });

  it.each([[0], [11], ['0'], ['11'], [1.5], ['1.5'], ['1e1'], ['0x1'], [' 1'], [''], ['+1'], [null], [true], [['1']]])(
    'refuses %j outside of the integers from 1 to 10',
    (written) => {
      const { success, error } = integerInRange(1, 10).safeParse(written);
      expect(success).toBe(false);
      expect(error?.issues[0]?.message).toBe('expected an integer from 1 to 10');
    },
  );
});

describe('parsePage', () => {
  it('returns up to 1,000 records from the first one by default', () => {
    expect(parsePage({})).toEqual({ limit: 1_000, offset: 0 });
  });

  it('reads the texts of a query string', () => {
    expect(parsePage({ limit: '20', offset: '2147483647' })).toEqual({ limit: 20, offset: 2_147_483_647 });
  });

  it.each([
    [{ limit: 0 }, 'limit invalid_field'],
    [{ limit: 1_001 }, 'limit invalid_field'],
    [{ offset: -1 }, 'offset invalid_field'],
    [{ offset: 2_147_483_648 }, 'offset invalid_field'],
    [{ page: 2 }, 'page unknown_field'],
  ])('refuses %j', async (query, fault) => {
    const error = await refusal((async () => parsePage(untyped(query)))());
    expect([error.status, ...faultsOf(error)]).toEqual([400, fault]);
  });
});
