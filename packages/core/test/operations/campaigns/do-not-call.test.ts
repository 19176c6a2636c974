import { beforeEach, describe, expect, it } from 'vitest';
import type { Operations } from '../../../src/operations/operations.ts';
import { untyped } from '../../support/untyped.ts';
import { faultsOf, orgId, otherOrgId, refusal, testOperations, unknownId } from '../support.ts';

const number = '+31612345678';

let operations: Operations;

beforeEach(() => {
  ({ operations } = testOperations());
});

describe('the do-not-call list', () => {
  it('stores a number in E.164, with a reason', async () => {
    const entry = await operations.doNotCall.add(orgId, { phone_number: '+31 6 1234-5678', reason: ' asked us to ' });
    expect(entry).toMatchObject({ phone_number: number, reason: 'asked us to' });
    expect(await operations.doNotCall.list(orgId)).toEqual({
      do_not_call: [entry],
      pagination: { total: 1, limit: 100, offset: 0 },
    });
  });

  it('returns the entry that a number has already, unchanged', async () => {
    const first = await operations.doNotCall.add(orgId, { phone_number: number });
    expect(await operations.doNotCall.add(orgId, { phone_number: '0031612345678', reason: 'again' })).toEqual(first);
    expect(first.reason).toBeNull();
  });

  it('belongs to an organization', async () => {
    const entry = await operations.doNotCall.add(orgId, { phone_number: number });
    expect((await operations.doNotCall.list(otherOrgId)).pagination.total).toBe(0);
    expect(await refusal(operations.doNotCall.delete(otherOrgId, entry.id))).toMatchObject({ status: 404 });
    const theirs = await operations.doNotCall.add(otherOrgId, { phone_number: number });
    expect(theirs.id).not.toBe(entry.id);
  });

  it('finds a number in any spelling, and returns pages', async () => {
    for (let n = 0; n < 3; n += 1) await operations.doNotCall.add(orgId, { phone_number: `+3161234567${n}` });
    const found = await operations.doNotCall.list(orgId, { phone_number: '+31 6 1234 5671' });
    expect(found.do_not_call.map(({ phone_number }) => phone_number)).toEqual(['+31612345671']);
    const page = await operations.doNotCall.list(orgId, { limit: 2, offset: 2 });
    expect([page.do_not_call.length, page.pagination]).toEqual([1, { total: 3, limit: 2, offset: 2 }]);
  });

  it('forgets a deleted number', async () => {
    const { id } = await operations.doNotCall.add(orgId, { phone_number: number });
    await operations.doNotCall.delete(orgId, id);
    expect((await operations.doNotCall.list(orgId)).do_not_call).toEqual([]);
  });

  it.each([unknownId, 'x'])('returns 404 for the id %s', async (id) => {
    expect(await refusal(operations.doNotCall.delete(orgId, id))).toMatchObject({
      status: 404,
      code: 'do_not_call_not_found',
    });
  });

  it.each([
    [{}, 'phone_number missing_field'],
    [{ phone_number: '0612345678' }, 'phone_number invalid_phone_number'],
    [{ phone_number: number, reason: 'x'.repeat(501) }, 'reason invalid_field'],
    [{ phone_number: number, until: '2027-01-01' }, 'until unknown_field'],
  ])('refuses %j', async (input, fault) => {
    expect(faultsOf(await refusal(operations.doNotCall.add(orgId, untyped(input))))).toEqual([fault]);
  });
});
